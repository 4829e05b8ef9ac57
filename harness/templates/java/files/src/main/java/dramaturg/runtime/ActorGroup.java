package dramaturg.runtime;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Actors that are counted together: the runtime's own count of those that have not ended. */
public final class ActorGroup {
  private final ActorSystem system;

  // One number, not a sum of several: else who ends could be seen before whom it has spawned.
  private final AtomicLong alive = new AtomicLong();

  public ActorGroup(ActorSystem system) {
    this.system = system;
  }

  /** Starts an actor. {@code create} is called at once, in the thread of the caller. */
  public <M> ActorRef<M> spawn(Function<ActorContext<M>, ? extends Behavior<M>> create) {
    var cell = new ActorCell<M>(system, alive::decrementAndGet);
    var behavior = create.apply(cell);
    alive.incrementAndGet();
    cell.start(behavior);
    return cell;
  }

  public long alive() {
    return alive.get();
  }
}
