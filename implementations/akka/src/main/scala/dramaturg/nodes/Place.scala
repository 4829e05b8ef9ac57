package dramaturg.nodes

import akka.actor.typed.scaladsl.adapter._
import akka.actor.typed.{ActorRef, ActorRefResolver, ActorSystem => TypedSystem, Behavior}
import akka.actor.{ActorIdentity, ActorSystem, Identify}
import akka.pattern.ask
import akka.util.Timeout
import dramaturg.v2.ControlOuterClass.{Peer, PrepareRequest}

import scala.concurrent.Await
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._

/** An actor's node, and its path behind that of the node's guardian. */
final case class Home(node: Int, path: String)

/** Which node this is, of which nodes (spec/distributed.md). */
final case class Place(node: Int, peers: IndexedSeq[Peer], secret: String) {
  import Place._

  def nodes: Int = peers.size.max(1)
  def isAlone: Boolean = nodes == 1

  /** The node of actor `index` where a class is spread over all nodes. */
  def round(index: Int): Int = index % nodes

  /** The same where node 0 is the lead's. */
  def roundTheRest(index: Int): Int = if (isAlone) 0 else 1 + index % (nodes - 1)

  /** A node as errors call it. */
  def spell(node: Int): String = s"node $node (${peers(node).getHost}:${peers(node).getPort})"

  /** What an actor system at this place needs. With so many nodes, so many messages may be under
    * way to one of them, the longest of so many bytes; application.conf says what becomes of that.
    */
  def settings(underWay: Int => Long, longest: Long = 0): Map[String, Any] =
    if (isAlone) Map.empty
    else
      Map(
        "akka.actor.provider" -> "remote",
        "akka.remote.artery.canonical.hostname" -> peers(node).getHost,
        "akka.remote.artery.canonical.port" -> peers(node).getPort,
        "dramaturg.under-way" -> underWay(nodes).max(LeastQueue).min(MostQueue),
        "dramaturg.frame" -> (longest + Envelope).max(LeastFrame)
      )

  /** Starts the guardian of a world: where other nodes find it, if there are any. */
  def spawn(
      system: ActorSystem,
      guardian: Behavior[Neighbour.Message]
  ): ActorRef[Neighbour.Message] =
    if (isAlone) system.spawnAnonymous(guardian) else system.spawn(guardian, secret)

  /** An actor that another node's guardian has spawned, or will have before it is sent anything. */
  def refer[M](system: TypedSystem[_], node: Int, actor: String): ActorRef[M] =
    refer(system, Home(node, s"/$actor"))

  /** An actor of any node, by where it lives. */
  def refer[M](system: TypedSystem[_], home: Home): ActorRef[M] =
    ActorRefResolver(system).resolveActorRef(s"${guardianOf(home.node)}${home.path}")

  /** The guardian of any node. */
  def guardianAt(system: TypedSystem[_], node: Int): ActorRef[Neighbour.Message] =
    refer(system, Home(node, ""))

  /** The guardian of node 0, on any other. */
  def head(system: ActorSystem): Option[ActorRef[Neighbour.Message]] =
    Option.when(node > 0)(guardianAt(system.toTyped, 0))

  /** Opens the connections from this node: to the higher ones, which are there already. Their
    * answers show that messages get there and back.
    */
  def connect(system: ActorSystem, guardian: ActorRef[Neighbour.Message], isMesh: Boolean): Unit =
    if (isMesh || node == 0)
      for (other <- node + 1 until nodes) {
        val there = guardianAt(system.toTyped, other)
        Await.result(there.toClassic.ask(Identify(secret))(AnswersWithin), Duration.Inf) match {
          case ActorIdentity(_, Some(_)) =>
            if (node == 0) guardian ! Neighbour.Watch(there, spell(other))
          case _ => throw new IllegalStateException(s"${spell(other)} does not know this world")
        }
      }

  private def guardianOf(node: Int): String =
    s"akka://${Systems.Name}@${peers(node).getHost}:${peers(node).getPort}/user/$secret"
}

object Place {
  private val LeastQueue = 1024L
  private val MostQueue = 1L << 28

  // In bytes. Akka has no smaller frames; an envelope has two paths, and few numbers.
  private val LeastFrame = 32L * 1024
  private val Envelope = 4L * 1024

  /** Far more than it takes: dozens of nodes may share a few cores while they connect. */
  private val AnswersWithin: Timeout = 60.seconds

  def apply(request: PrepareRequest): Place =
    Place(request.getNode, request.getPeersList.asScala.toVector, request.getSecret)
}
