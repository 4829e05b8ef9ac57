package dramaturg.micro

import akka.actor.typed.ActorRef
import akka.actor.{ExtendedActorSystem, Extension, ExtensionId}

import java.util.concurrent.{ScheduledThreadPoolExecutor, TimeUnit}

/** The JVM's own timer, on one thread that runs no actors, made with the actor system.
  *
  * Akka's scheduler turns a wheel of 1 ms at best and adds a notch, to be never early: it is up to
  * 2 ms late. It then has a dispatcher tell the actor, which waits for a thread before the actor
  * does. This thread sleeps until it is time, and tells the actor itself.
  */
final class Timer(system: ExtendedActorSystem) extends Extension {
  private val executor = new ScheduledThreadPoolExecutor(1, system.threadFactory)
  executor.prestartCoreThread(): Unit
  system.registerOnTermination(executor.shutdownNow(): Unit)

  /** Tells an actor a message, in so many nanoseconds and no sooner; at once if they are past. */
  def tell[M](nanos: Long, to: ActorRef[M], message: M): Unit =
    executor.schedule((() => to ! message): Runnable, nanos, TimeUnit.NANOSECONDS): Unit
}

object Timer extends ExtensionId[Timer] {

  /** Has an actor system make it when it starts. */
  val Setting: (String, Any) = "akka.extensions" -> java.util.List.of("dramaturg.micro.Timer")

  override def createExtension(system: ExtendedActorSystem): Timer = new Timer(system)
}
