import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A router and its workers tell each other messages for ever. As in Akka, a mailbox is a task of a
 * fork-join pool, the same object each time it is scheduled.
 *
 * <p>A thread that steals looks at the next task of a queue and takes it if the same object is
 * still in its slot. If the thread loses its core in between, the queue can go round meanwhile and
 * have the same mailbox in the same slot. The thread then sets the queue back by a whole round, and
 * the owner of the queue searches for ever for tasks that were done long ago.
 */
final class StandsStill {
  /** Messages that a mailbox takes in one turn, as Akka's default. */
  private static final int THROUGHPUT = 5;

  private static final AtomicLong turns = new AtomicLong();

  private static final class Mailbox extends ForkJoinTask<Void> {
    private final AtomicInteger messages = new AtomicInteger();
    private final ForkJoinPool pool;

    /** Whom this one tells, one after the other. */
    private Mailbox[] others;

    private int next;

    Mailbox(ForkJoinPool pool) {
      this.pool = pool;
    }

    void tell() {
      if (messages.getAndIncrement() == 0) {
        pool.execute(this);
      }
    }

    @Override
    protected boolean exec() {
      turns.getAndIncrement();
      int taken = Math.min(messages.get(), THROUGHPUT);
      for (int i = 0; i < taken; i++) {
        others[next].tell();
        next = (next + 1) % others.length;
      }
      if (messages.addAndGet(-taken) > 0) {
        pool.execute(this);
      }
      return false; // Not done: so the object may be put in again.
    }

    @Override
    public Void getRawResult() {
      return null;
    }

    @Override
    protected void setRawResult(Void nothing) {}
  }

  public static void main(String[] arguments) throws InterruptedException {
    int workers = Integer.parseInt(arguments[0]);
    int threads = Integer.parseInt(arguments[1]);
    long until = System.nanoTime() + Long.parseLong(arguments[2]) * 1_000_000;
    var pool =
        new ForkJoinPool(threads, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
    var router = new Mailbox(pool);
    router.others = new Mailbox[workers];
    for (int i = 0; i < workers; i++) {
      router.others[i] = new Mailbox(pool);
      router.others[i].others = new Mailbox[] {router};
    }
    for (var worker : router.others) {
      worker.tell();
    }
    // Each look is a second after the last: a busy machine keeps a pool waiting for less.
    for (long before = -1; System.nanoTime() < until; Thread.sleep(1000)) {
      long now = turns.get();
      if (now == before) {
        System.out.println("stood still after " + now + " turns of " + workers + " workers");
        System.exit(1);
      }
      before = now;
    }
    System.out.println("ran: " + turns + " turns of " + workers + " workers");
    System.exit(0);
  }
}
