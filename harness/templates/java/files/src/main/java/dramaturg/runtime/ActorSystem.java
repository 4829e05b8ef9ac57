package dramaturg.runtime;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs actors: one thread for each processor and one for timers, made once. A library of actors
 * goes where this class and {@link ActorCell} are; the rest of the program knows {@link
 * ActorGroup}, {@link ActorRef} and {@link ActorContext}.
 */
public final class ActorSystem {
  private final ForkJoinPool pool;
  private final ScheduledThreadPoolExecutor timer;

  public ActorSystem(int schedulers) {
    // First in, first out: who has waited longest comes next.
    boolean queues = true;
    pool = new Pool(schedulers, queues);
    timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              var thread = new Thread(task, "timer");
              thread.setDaemon(true);
              return thread;
            });
  }

  public String name() {
    return "Java";
  }

  public String version() {
    return System.getProperty("java.version");
  }

  /** The number of threads on which actors run. */
  public int schedulers() {
    return pool.getParallelism();
  }

  void execute(Runnable actor) {
    pool.execute(actor);
  }

  void later(long millis, Runnable task) {
    timer.schedule(task, millis, TimeUnit.MILLISECONDS);
  }
}
