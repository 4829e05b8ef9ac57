package dramaturg

import akka.actor.ActorSystem
import akka.actor.typed.scaladsl.adapter._
import akka.actor.typed.{ActorRef, Behavior}
import akka.actor.{ActorNotFound, ActorPath, ActorRef => ClassicRef}
import akka.dramaturg.Census
import akka.pattern.gracefulStop
import com.typesafe.config.{Config, ConfigFactory}
import dramaturg.v1.ControlOuterClass.Peer

import java.util.concurrent.TimeoutException
import scala.annotation.tailrec
import scala.concurrent.Await
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._

/** Where the worlds of one Prepare are played, one after the other: an actor system of their own.
  *
  * It is a classic system with typed actors in it, because a chat must start within the act of the
  * client that creates it and outlive that client. A typed system only spawns children, or asks its
  * guardian and waits; a classic one also starts an actor at the top, at once, from any thread.
  */
final class Stage(
    val system: ActorSystem,
    val log: Option[ReceiveLog],
    val place: Place = Place.Alone
) {
  val inbox = new Inbox
  private val curtain = new Curtain
  val scene: Scene = Scene(spawn(inbox.behavior), log, curtain)

  def spawn[M](behavior: Behavior[M]): ActorRef[M] = system.spawnAnonymous(behavior)

  /** The same, where other nodes find it under that name. */
  def spawn[M](behavior: Behavior[M], name: String): ActorRef[M] =
    if (place.isAlone) spawn(behavior) else system.spawn(behavior, name)

  /** The actor of that name on another node. Its answer shows that messages get there and back, and
    * opens the connections for them.
    */
  def find(node: Int, name: String): ActorRef[Nothing] = {
    val path = Stage.path(place.peers(node), name)
    val answer = system.actorSelection(path).resolveOne(Stage.AnswersWithin)
    try Await.result(answer, Duration.Inf).toTyped
    catch {
      case _: ActorNotFound =>
        throw new IllegalStateException(s"${place.spell(node)} does not answer at $path")
    }
  }

  /** What actors that have ended have told control and nobody has heard yet. */
  def settle(): Seq[Inbox.Message] = inbox.settle(scene.control)

  /** Actors that have not ended. One that ends is gone a moment later, or when hundreds of
    * thousands end at once some time later: as long as they grow fewer, they are waited for.
    */
  def alive(isExcepted: ActorPath => Boolean): Int = {
    def count() = Census
      .actors(system)
      .map(_.path)
      .count(path => path != scene.control.path && !isExcepted(path))

    @tailrec
    def settle(alive: Int, deadline: Deadline): Int = {
      Thread.sleep(if (alive < 1000) 1 else 50)
      val now = count()
      if (now == 0 || now >= alive && deadline.isOverdue()) now
      else settle(now, if (now < alive) Stage.EndsWithin.fromNow else deadline)
    }

    val alive = count()
    if (alive == 0) 0 else settle(alive, Stage.EndsWithin.fromNow)
  }

  /** Ends an actor and all below it, and waits until they are gone. */
  def remove(actor: ActorRef[_]): Unit = {
    val classic: ClassicRef = actor.toClassic
    Await.ready(gracefulStop(classic, Stage.EndsWithin), Duration.Inf): Unit
  }

  /** Ends everything; waits for it, but not for an actor in a long computation.
    *
    * Each actor is told by itself: left to their parents, those in the middle would have to wait for
    * a thread behind all the work that nobody wants any more.
    */
  def strike(): Unit = {
    curtain.fall()
    Census.actors(system).foreach(system.stop)
    system.terminate()
    try Await.ready(system.whenTerminated, Stage.EndsWithin): Unit
    catch { case _: TimeoutException => () }
  }
}

object Stage {
  private val EndsWithin = 5.seconds

  /** Far more than it takes: dozens of nodes may share a few cores while they connect. */
  private val AnswersWithin = 60.seconds
  private val LeastQueue = 1024L
  private val MostQueue = 1L << 28
  private val SystemName = "dramaturg"

  /** A stage with these settings of Akka's, which others reach at their address of this node. */
  def apply(place: Place, settings: Map[String, Any], log: Option[ReceiveLog]): Stage = {
    val all = if (place.isAlone) settings else settings ++ remoting(place.peers(place.node))
    val config: Config = ConfigFactory.parseMap(all.asJava).withFallback(ConfigFactory.load())
    new Stage(ActorSystem(SystemName, config), log, place)
  }

  /** Room for all that may wait for a connection: what does not fit, Akka drops. */
  def queues(messages: Long): Map[String, Any] = Map(
    "akka.remote.artery.advanced.outbound-message-queue-size" ->
      messages.max(LeastQueue).min(MostQueue)
  )

  private def remoting(here: Peer): Map[String, Any] = Map(
    "akka.actor.provider" -> "remote",
    "akka.remote.artery.canonical.hostname" -> here.getHost,
    "akka.remote.artery.canonical.port" -> here.getPort
  )

  /** Where the actor of that name stands at the top of the stage at another address. */
  def path(there: Peer, actor: String): String =
    s"akka://$SystemName@${there.getHost}:${there.getPort}/user/$actor"
}
