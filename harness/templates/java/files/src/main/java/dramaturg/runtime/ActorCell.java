package dramaturg.runtime;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

/** An actor and its mailbox, which is unbounded: first in, first out. */
final class ActorCell<M> implements ActorRef<M>, ActorContext<M>, Runnable {
  private enum State {
    IDLE,
    BUSY,
    ENDED
  }

  /** So many messages an actor takes before it lets others have its thread. */
  private static final int THROUGHPUT = 32;

  private final ActorSystem system;
  private final Runnable onEnd;
  private final ConcurrentLinkedQueue<M> mailbox = new ConcurrentLinkedQueue<>();

  /** Busy until it has a behaviour: what is sent to it before waits. */
  private final AtomicReference<State> state = new AtomicReference<>(State.BUSY);

  private Behavior<M> behavior;
  private boolean ending;

  ActorCell(ActorSystem system, Runnable onEnd) {
    this.system = system;
    this.onEnd = onEnd;
  }

  void start(Behavior<M> behavior) {
    this.behavior = behavior;
    restOrEnd();
  }

  @Override
  public void tell(M message) {
    if (state.get() != State.ENDED) {
      mailbox.add(message);
      wake();
    }
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
    system.later(millis, () -> tell(message));
  }

  @Override
  public void run() {
    try {
      for (int taken = 0; taken < THROUGHPUT && !ending; taken++) {
        var message = mailbox.poll();
        if (message == null) {
          break;
        }
        behavior.receive(message);
      }
    } catch (Throwable reason) {
      ending = true;
      throw reason;
    } finally {
      restOrEnd();
    }
  }

  private void restOrEnd() {
    if (ending) {
      end();
    } else {
      rest();
    }
  }

  private void wake() {
    if (state.get() == State.IDLE && state.compareAndSet(State.IDLE, State.BUSY)) {
      system.execute(this);
    }
  }

  private void rest() {
    state.set(State.IDLE);
    if (!mailbox.isEmpty()) {
      wake();
    }
  }

  private void end() {
    state.set(State.ENDED);
    mailbox.clear();
    behavior = null;
    onEnd.run();
  }
}
