package dramaturg.nodes

import akka.actor.ActorSystem
import com.typesafe.config.ConfigFactory

import scala.concurrent.Await
import scala.concurrent.duration.Duration
import scala.jdk.CollectionConverters._

/** The actor system, in which worlds follow each other. It is made when first needed, and lives
  * until one with other settings is needed; the worlds of one benchmark all need the same.
  *
  * It is a classic system with typed actors in it, because a chat must start within the act of the
  * client that creates it and outlive that client. A typed system only spawns children, or asks its
  * guardian and waits; a classic one also starts an actor at the top, at once, from any thread.
  */
final class Systems {
  private var current = Option.empty[(Map[String, Any], ActorSystem)]

  /** One with these settings, and how many nanoseconds it took to make: 0 if it was there. */
  def get(settings: Map[String, Any]): (ActorSystem, Long) = current match {
    case Some((`settings`, system)) => (system, 0)
    case other                      =>
      val asked = System.nanoTime()
      for ((_, old) <- other) Await.result(old.terminate(), Duration.Inf)
      val config = ConfigFactory.load(
        ConfigFactory.parseMap(settings.asJava).withFallback(ConfigFactory.defaultApplication())
      )
      val system = ActorSystem(Systems.Name, config)
      current = Some((settings, system))
      (system, System.nanoTime() - asked)
  }
}

object Systems {

  /** The same on every node, and no secret. */
  val Name = "dramaturg"
}
