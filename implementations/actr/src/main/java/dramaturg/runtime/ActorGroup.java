package dramaturg.runtime;

import java.util.function.Function;

/** Actors that are counted together: the runtime's own count of those that have not ended. */
public final class ActorGroup {
  private final ActorSystem system;
  private final Census census;

  public ActorGroup(ActorSystem system) {
    this.system = system;
    census = new Census(system.scheduler());
  }

  /**
   * Starts an actor. {@code create} is called at once, in the thread of the caller. It can hand the
   * actor's reference on, but send nothing to it: actr has made the actor only after that.
   */
  public <M> ActorRef<M> spawn(Function<ActorContext<M>, ? extends Behavior<M>> create) {
    var cell = new ActorCell<M>();
    cell.behave(create.apply(cell));
    cell.known(system.start(cell, census));
    return cell;
  }

  public long alive() {
    return census.alive();
  }
}
