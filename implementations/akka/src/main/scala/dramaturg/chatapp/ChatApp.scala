package dramaturg.chatapp

import akka.actor.ActorPath
import akka.actor.typed.ActorRef
import dramaturg.v1.Benchmarks.{ChatAppReceipt, Receipt}
import dramaturg.v1.Trace.Choice
import dramaturg.{Inbox, Names, Stage, World}

import scala.collection.mutable
import scala.concurrent.duration._

/** One iteration of ChatApp. */
final class ChatApp(parameters: Parameters, stage: Stage) extends World {
  private val created = System.nanoTime()
  private val poker: ActorRef[Poker.Message] = stage.spawn(Poker(parameters, stage.scene))
  private val turns = mutable.ArrayBuffer.empty[Inbox.Confirmed]
  private var busyNanos = 0L

  override def total: Long = parameters.turns.toLong

  override def setUp(): Long = {
    poker ! Poker.Prepare(Names.Control)
    stage.inbox.take()
    busyNanos = System.nanoTime() - created
    busyNanos
  }

  /** One client acts; returns when all it caused has settled. */
  def act(client: Int, choice: Choice, index: Long, k: Long): Inbox.Confirmed =
    step(Poker.Act(Names.Control, client, choice, index, k))

  /** All clients act; returns when all they caused has settled. */
  def turn(): Inbox.Confirmed = step(Poker.Turn(Names.Control))

  private def step(message: Poker.Message): Inbox.Confirmed = {
    val started = System.nanoTime()
    poker ! message
    stage.inbox.take() match {
      case confirmed: Inbox.Confirmed =>
        turns += confirmed
        busyNanos += System.nanoTime() - started
        confirmed
      case other => throw unexpected(other)
    }
  }

  override def run(onProgress: Long => Unit): Receipt = finish(Poker.Run(Names.Control), onProgress)

  override def disconnect(): Receipt = finish(Poker.Disconnect(Names.Control), _ => ())

  private def finish(message: Poker.Message, onProgress: Long => Unit): Receipt = {
    val started = System.nanoTime()
    poker ! message
    var finished = Option.empty[Inbox.Finished]
    while (finished.isEmpty) {
      stage.inbox.poll(ChatApp.ProgressInterval) match {
        case Some(confirmed: Inbox.Confirmed) => turns += confirmed
        case Some(end: Inbox.Finished)        => finished = Some(end)
        case Some(other)                      => throw unexpected(other)
        case None                             =>
      }
      onProgress(turns.size.toLong)
    }
    receipt(finished.get, busyNanos + finished.get.ended - started)
  }

  private def receipt(finished: Inbox.Finished, iterationNanos: Long): Receipt = {
    val sums = finished.sums
    val chatapp = ChatAppReceipt.newBuilder
      .setComputes(sums.computes)
      .setPosts(sums.posts)
      .setLeaves(sums.leaves)
      .setInvites(sums.invites)
      .setNones(sums.nones)
      .setJoins(sums.joins)
      .setDeliveries(sums.deliveries)
      .setLcgChecksum(sums.lcg)
      .setFibSum(turns.iterator.map(_.value).sum)
      .setConfirms(turns.size.toLong)
    for (turn <- turns.sortBy(_.turn)) chatapp.addTurnNanos(turn.ended - turn.started)
    val runNanos =
      if (turns.isEmpty) 0L
      else turns.iterator.map(_.ended).max - turns.iterator.map(_.started).min
    Receipt.newBuilder
      .setChatapp(chatapp)
      .setIterationNanos(iterationNanos)
      .setRunNanos(runNanos)
      .setAlive(stage.alive(isExcepted).toLong)
      .build
  }

  /** The poker and the directories outlive an iteration. */
  private def isExcepted(path: ActorPath): Boolean =
    path == poker.path || path.parent == poker.path && path.name.startsWith("directory-")

  override def remove(): Unit = stage.remove(poker)

  private def unexpected(message: Inbox.Message) =
    new IllegalStateException(s"the poker said $message out of turn")
}

object ChatApp {
  private val ProgressInterval = 250.millis
}
