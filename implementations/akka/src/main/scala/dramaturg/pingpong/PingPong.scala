package dramaturg.pingpong

import akka.actor.ActorNotFound
import akka.actor.typed.ActorRef
import akka.actor.typed.scaladsl.adapter._
import dramaturg.v1.Benchmarks.{PingPongReceipt, Receipt}
import dramaturg.v1.ControlOuterClass.Peer
import dramaturg.{Inbox, Names, Stage, World}

import scala.concurrent.Await
import scala.concurrent.duration._

/** One iteration of ping-pong, or this node's half of it. */
final class PingPong(rounds: Long, place: PingPong.Place, stage: Stage) extends World {
  import PingPong._

  private var ping = Option.empty[ActorRef[Ping.Message]]
  private var pong = Option.empty[ActorRef[Pong.Message]]
  private var setUpNanos = 0L

  override def total: Long = rounds

  override def setUp(): Long = {
    val started = System.nanoTime()
    place match {
      case Both =>
        pong = Some(stage.spawn(Pong(stage.scene)))
        ping = pong.map(peer => stage.spawn(Ping(peer, stage.scene)))
      case PingTo(there) =>
        ping = Some(stage.spawn(Ping(find(there), stage.scene)))
      case PongOnly =>
        pong = Some(stage.system.spawn(Pong(stage.scene), PongsPlace))
    }
    setUpNanos = System.nanoTime() - started
    setUpNanos
  }

  /** Pong on its node. Having it answer also opens the connection, which belongs to set-up. */
  private def find(there: Peer): ActorRef[Pong.Message] = {
    val path = Stage.path(there, PongsPlace)
    val answer = stage.system.actorSelection(path).resolveOne(AnswersWithin)
    try Await.result(answer, Duration.Inf).toTyped
    catch { case _: ActorNotFound => throw new IllegalStateException(s"nobody answers at $path") }
  }

  override def run(onProgress: Long => Unit): Receipt = {
    val started = System.nanoTime()
    ping.foreach(_ ! Ping.Start(Names.Control, rounds))
    var played = Option.empty[Inbox.Played]
    var answered = if (pong.isEmpty) Some(0L) else None
    while (played.isEmpty || answered.isEmpty) {
      stage.inbox.poll(ProgressInterval) match {
        case Some(end: Inbox.Played)   => played = Some(end)
        case Some(end: Inbox.Answered) => answered = Some(end.pings)
        case Some(other)               => throw new IllegalStateException(s"$other out of turn")
        case None                      =>
      }
      onProgress(played.fold(0L)(_.rounds))
    }
    val Inbox.Played(_, pongs, first, last) = played.get
    receipt(answered.get, pongs, setUpNanos + last - started, last - first)
  }

  /** Not by a message: without a `ping` that says 0 the two have no way to end each other. */
  override def disconnect(): Receipt = {
    remove()
    val pings = pong.fold(0L)(_ => takeAnswered())
    receipt(pings, pongs = 0, setUpNanos, runNanos = 0)
  }

  private def takeAnswered(): Long = stage.inbox.take() match {
    case Inbox.Answered(_, pings) => pings
    case other                    => throw new IllegalStateException(s"$other out of turn")
  }

  private def receipt(pings: Long, pongs: Long, iterationNanos: Long, runNanos: Long): Receipt =
    Receipt.newBuilder
      .setPingpong(PingPongReceipt.newBuilder.setPings(pings).setPongs(pongs))
      .setIterationNanos(iterationNanos)
      .setRunNanos(runNanos)
      .setAlive(stage.alive(_ => false).toLong)
      .build

  override def remove(): Unit = (ping ++ pong).foreach(stage.remove(_))
}

object PingPong {

  /** Which of the two play on this node. */
  sealed trait Place
  case object Both extends Place
  final case class PingTo(there: Peer) extends Place
  case object PongOnly extends Place

  private val PongsPlace = "pong"
  private val AnswersWithin = 10.seconds
  private val ProgressInterval = 250.millis
}
