import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An actor asks for a tick in 50 ms and tells itself one message after another meanwhile. Akka's
 * timer submits the tick to the fork-join pool from outside. A thread of that pool looks at what
 * was submitted only when its own queue is empty, and the actor puts itself into that queue again.
 */
final class OneThread {
  public static void main(String[] arguments) throws InterruptedException {
    String threads = arguments[0];
    long patience = Long.parseLong(arguments[1]);
    var taken = new AtomicLong();
    var tick = new CountDownLatch(1);
    var settings =
        "akka { log-dead-letters = 0, stdout-loglevel = OFF, loglevel = OFF\n"
            + "actor.default-dispatcher.fork-join-executor {\n"
            + "parallelism-min = " + threads + ", parallelism-max = " + threads + " } }";
    var config = ConfigFactory.parseString(settings).withFallback(ConfigFactory.load());
    ActorSystem.create(
        Behaviors.<Boolean>setup(
            context -> {
              context.scheduleOnce(Duration.ofMillis(50), context.getSelf(), true);
              context.getSelf().tell(false);
              return Behaviors.receiveMessage(
                  isTick -> {
                    taken.incrementAndGet();
                    if (isTick) {
                      tick.countDown();
                    } else {
                      context.getSelf().tell(false);
                    }
                    return Behaviors.same();
                  });
            }),
        "findings",
        config);
    boolean came = tick.await(patience, TimeUnit.SECONDS);
    System.out.println(
        threads + " thread" + (threads.equals("1") ? "" : "s") + ": the tick due in 50 ms "
            + (came ? "came" : "had not come after " + patience + " s")
            + ", and the actor took " + taken + " messages of its own");
    System.exit(came ? 0 : 1);
  }
}
