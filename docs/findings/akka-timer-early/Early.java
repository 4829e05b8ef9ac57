import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Asks Akka's scheduler for many wake-ups and compares each with the clock. Its thread reads the
 * clock, then takes what was asked for meanwhile, and reckons from that reading. If it loses its
 * core in between, what it was asked for last comes too soon.
 */
final class Early {
  public static void main(String[] arguments) throws InterruptedException {
    int naps = Integer.parseInt(arguments[0]);
    long delay = 20_000_000;
    var early = new AtomicInteger();
    var most = new AtomicLong();
    var done = new CountDownLatch(naps);
    var settings =
        "akka { log-dead-letters = 0, stdout-loglevel = OFF, loglevel = OFF\n"
            + "scheduler.tick-duration = 1ms }";
    var config = ConfigFactory.parseString(settings).withFallback(ConfigFactory.load());
    var system = ActorSystem.create(Behaviors.<Void>empty(), "findings", config);
    for (int i = 0; i < naps; i++) {
      long due = System.nanoTime() + delay;
      system
          .scheduler()
          .scheduleOnce(
              Duration.ofNanos(delay),
              () -> {
                long left = due - System.nanoTime();
                if (left > 0) {
                  early.incrementAndGet();
                  most.accumulateAndGet(left, Math::max);
                }
                done.countDown();
              },
              system.executionContext());
      if (i % 100 == 0) {
        Thread.sleep(1);
      }
    }
    done.await();
    System.out.printf(
        "%d of %d wake-ups asked for in 20 ms came too soon, by up to %.2f ms%n",
        early.get(), naps, most.get() / 1e6);
    System.exit(early.get() > 0 ? 1 : 0);
  }
}
