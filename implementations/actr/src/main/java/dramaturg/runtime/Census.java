package dramaturg.runtime;

import com.zakgof.actr.IActorScheduler;
import java.util.concurrent.atomic.AtomicLong;

/** Counts actors as actr tells a scheduler that it has made or disposed of one. */
final class Census implements IActorScheduler {
  private final IActorScheduler scheduler;

  // One number, not a sum of several: else who ends could be seen before whom it has spawned.
  private final AtomicLong alive = new AtomicLong();

  Census(IActorScheduler scheduler) {
    this.scheduler = scheduler;
  }

  long alive() {
    return alive.get();
  }

  @Override
  public void actorCreated(Object actor) {
    alive.incrementAndGet();
    scheduler.actorCreated(actor);
  }

  @Override
  public void actorDisposed(Object actor) {
    scheduler.actorDisposed(actor);
    alive.decrementAndGet();
  }

  @Override
  public void schedule(Runnable task, Object actor) {
    scheduler.schedule(task, actor);
  }
}
