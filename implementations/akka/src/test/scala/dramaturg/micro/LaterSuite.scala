package dramaturg.micro

import akka.actor.ActorSystem
import akka.actor.typed.scaladsl.Behaviors
import akka.actor.typed.scaladsl.adapter._
import akka.actor.typed.{ActorRef, Scheduler}

import java.time.{Duration => JavaDuration}
import java.util.concurrent.{LinkedBlockingQueue, TimeUnit}
import scala.concurrent.duration._
import scala.concurrent.{Await, ExecutionContext}

class LaterSuite extends munit.FunSuite {

  /** Akka's, but what is asked for first comes after half of its time. */
  private final class Hasty(right: Scheduler) extends Scheduler {
    @volatile var asked = 0

    private def some(delay: FiniteDuration): FiniteDuration = {
      asked += 1
      if (asked == 1) delay / 2 else delay
    }

    override def scheduleOnce(delay: FiniteDuration, runnable: Runnable)(implicit
        executor: ExecutionContext
    ) = right.scheduleOnce(some(delay), runnable)

    override def scheduleOnce(delay: JavaDuration, runnable: Runnable, executor: ExecutionContext) =
      right.scheduleOnce(delay, runnable, executor)

    override def scheduleWithFixedDelay(initial: FiniteDuration, delay: FiniteDuration)(
        runnable: Runnable
    )(implicit executor: ExecutionContext) =
      right.scheduleWithFixedDelay(initial, delay)(runnable)

    override def scheduleWithFixedDelay(
        initial: JavaDuration,
        delay: JavaDuration,
        runnable: Runnable,
        executor: ExecutionContext
    ) = right.scheduleWithFixedDelay(initial, delay, runnable, executor)

    override def scheduleAtFixedRate(initial: FiniteDuration, interval: FiniteDuration)(
        runnable: Runnable
    )(implicit executor: ExecutionContext) =
      right.scheduleAtFixedRate(initial, interval)(runnable)

    override def scheduleAtFixedRate(
        initial: JavaDuration,
        interval: JavaDuration,
        runnable: Runnable,
        executor: ExecutionContext
    ) = right.scheduleAtFixedRate(initial, interval, runnable, executor)
  }

  private val system = FunFixture[ActorSystem](
    setup = _ => ActorSystem("later"),
    teardown = system => Await.result(system.terminate(), Duration.Inf): Unit
  )

  system.test("what comes too soon waits for the rest") { system =>
    val came = new LinkedBlockingQueue[Long]
    val to: ActorRef[String] = system.spawnAnonymous(
      Behaviors.receiveMessage[String] { _ =>
        came.put(System.nanoTime())
        Behaviors.same
      }
    )
    val hasty = new Hasty(system.toTyped.scheduler)
    val start = System.nanoTime()
    Later.tell(100.millis, hasty, to, "wake")(system.dispatcher)
    val passed = came.poll(60, TimeUnit.SECONDS) - start
    assert(passed >= 100000000L, passed)
    assert(hasty.asked >= 2, hasty.asked)
    assert(came.isEmpty)
  }
}
