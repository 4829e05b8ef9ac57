package dramaturg.runtime;

import com.zakgof.actr.IActorRef;

/** The object of an actor of actr's, and the actor as others know it. Its mailbox is actr's. */
final class ActorCell<M> implements ActorRef<M>, ActorContext<M> {
  private IActorRef<ActorCell<M>> actor;
  private Behavior<M> behavior;
  private boolean ending;

  void behave(Behavior<M> behavior) {
    this.behavior = behavior;
  }

  void known(IActorRef<ActorCell<M>> actor) {
    this.actor = actor;
  }

  @Override
  public void tell(M message) {
    actor.tell(cell -> cell.take(message));
  }

  @Override
  public ActorRef<M> self() {
    return this;
  }

  @Override
  public void stop() {
    ending = true;
  }

  @Override
  public void later(long millis, M message) {
    actor.later(cell -> cell.take(message), millis);
  }

  private void take(M message) {
    if (ending) {
      return;
    }
    try {
      behavior.receive(message);
    } catch (Throwable reason) {
      ending = true;
      throw reason;
    } finally {
      if (ending) {
        // A message too: until actr has taken it, others may come.
        actor.close();
      }
    }
  }
}
