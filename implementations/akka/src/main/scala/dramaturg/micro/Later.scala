package dramaturg.micro

import akka.actor.typed.scaladsl.ActorContext
import akka.actor.typed.{ActorRef, Scheduler}

import scala.concurrent.ExecutionContext
import scala.concurrent.duration._

/** Akka's timer, and never too soon.
  *
  * Its thread reads the clock, then takes what was asked for meanwhile, and reckons from that
  * reading. If it loses its core in between, what it was asked for last comes as much too soon. So
  * whoever comes too soon asks for the rest.
  */
object Later {

  /** Has an actor told a message by itself, `delay` from now. */
  def tell[M](delay: FiniteDuration, context: ActorContext[M], message: M): Unit =
    tell(delay, context.system.scheduler, context.self, message)(context.system.executionContext)

  def tell[M](delay: FiniteDuration, scheduler: Scheduler, to: ActorRef[M], message: M)(implicit
      executor: ExecutionContext
  ): Unit = {
    val due = System.nanoTime() + delay.toNanos
    def ask(left: Long): Unit = scheduler.scheduleOnce(left.nanos, () => wake()): Unit
    def wake(): Unit = {
      val left = due - System.nanoTime()
      if (left > 0) ask(left) else to ! message
    }
    ask(delay.toNanos)
  }
}
