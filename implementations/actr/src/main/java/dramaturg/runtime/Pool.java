package dramaturg.runtime;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A fork-join pool whose threads look every so often for what others have submitted. The JDK's do
 * not while they have something of their own: where actors keep all threads busy, what a timer has
 * for one of them would never come.
 */
final class Pool extends ForkJoinPool {

  /** One task in so many looks. */
  private static final int LOOKS = 32;

  /**
   * @param queues whether a thread takes what it has had longest; else what it has had shortest
   */
  Pool(int schedulers, boolean queues) {
    super(schedulers, defaultForkJoinWorkerThreadFactory, null, queues);
  }

  @Override
  public void execute(Runnable task) {
    super.execute(
        (Runnable)
            () -> {
              task.run();
              // By lot, since a count that threads share would cost them more than the look. After
              // the task: what it has left would else come first, and leave something again.
              if (ThreadLocalRandom.current().nextInt(LOOKS) == 0) {
                takeIn();
              }
            });
  }

  /** Puts one task that was submitted from outside among those that this thread has. */
  private void takeIn() {
    ForkJoinTask<?> submitted = pollSubmission();
    if (submitted != null) {
      submitted.fork();
    }
  }
}
