package dramaturg

import akka.actor.typed.ActorRef
import dramaturg.v1.Benchmarks.Receipt

import scala.annotation.tailrec
import scala.collection.mutable
import scala.concurrent.duration._

/** One iteration of a micro-benchmark, or this node's part of it. */
final class Micro(piece: Piece, stage: Stage) extends World {
  import Micro._

  private var company = Option.empty[ActorRef[Company.Message]]
  private var cue = Option.empty[Cue]
  private var setUpNanos = 0L
  private var here = Counts()
  private val windows = mutable.ArrayBuffer.empty[Inbox.Window]

  override def total: Long = piece.windows.toLong.max(1)

  override def setUp(): Long = {
    val started = System.nanoTime()
    val mine = stage.spawn(Company(piece, stage.scene, stage.place), Company.Path)
    company = Some(mine)
    stage.inbox.take() match {
      case Inbox.Cast(ready) => cue = Some(ready)
      case other             => throw unexpected(other)
    }
    for (node <- acquaintances) {
      val other = stage.find(node, Company.Path)
      if (stage.place.node == 0) mine ! Company.Watch(other, node)
    }
    setUpNanos = System.nanoTime() - started
    setUpNanos
  }

  /** Those to whom this node makes the connection: the higher ones, which are there already. */
  private def acquaintances: Range =
    if (piece.isMesh || stage.place.node == 0) stage.place.node + 1 until stage.place.nodes
    else Range(0, 0)

  override def run(onProgress: Long => Unit): Receipt = {
    val told = System.nanoTime()
    cue.foreach(_.give())

    @tailrec
    def untilDone(): Receipt = {
      onProgress(windows.size.toLong)
      stage.inbox.poll(ProgressInterval) match {
        case Some(Inbox.Done(_, done, ended)) =>
          receipt(done, setUpNanos + ended - told, ended - told)
        case Some(Inbox.Played(_, _, started, ended)) =>
          receipt(Counts(), setUpNanos + ended - told, ended - started)
        case Some(Inbox.Lost(node)) => throw new NodeLost(stage.place.spell(node))
        case Some(other)            => note(other); untilDone()
        case None                   => untilDone()
      }
    }
    untilDone()
  }

  /** Not by messages: an iteration that nobody started has no end of its own. On other nodes than
    * the first this is also how an iteration that has run ends; then nobody is left to remove.
    */
  override def disconnect(): Receipt = {
    remove()
    stage.settle().foreach(note)
    receipt(Counts(), setUpNanos, runNanos = 0)
  }

  private def note(message: Inbox.Message): Unit = message match {
    case Inbox.Took(_, counts) => here += counts
    case window: Inbox.Window  => windows += window
    case Inbox.Lost(_)         => // After the run everybody goes when told to.
    case other                 => throw unexpected(other)
  }

  private def receipt(done: Counts, iterationNanos: Long, runNanos: Long): Receipt = {
    val builder = Receipt.newBuilder
    piece.fill(builder, Reports(done, here, windows.toSeq))
    builder
      .setIterationNanos(iterationNanos)
      .setRunNanos(runNanos)
      .setAlive(stage.alive(path => company.exists(_.path == path)).toLong)
      .build
  }

  override def remove(): Unit = company.foreach(stage.remove(_))

  private def unexpected(message: Inbox.Message) =
    new IllegalStateException(s"$message out of turn")
}

object Micro {
  private val ProgressInterval = 250.millis
}
