package dramaturg.chatapp

import akka.actor.typed.ActorRef
import dramaturg.control._
import dramaturg.nodes.Births
import dramaturg.v2.Benchmarks.{ChatAppParameters, ChatAppReceipt, Receipt}
import dramaturg.v2.ControlOuterClass.ActRequest
import dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_POKER_VALUE
import dramaturg.{Digest, Entry, Names}

import java.lang.Integer.toUnsignedLong

/** A chat service and its users (spec/chatapp.md). */
final class ChatApp(p: ChatAppParameters) extends Benchmark {
  import ChatApp._

  override def populate(births: Births): Lead = {
    val poker = births.one[Poker.Message](Names(ACTOR_CLASS_POKER_VALUE))(
      new Poker(Parameters(p), births.world, _)
    )
    Lead(poker) {
      case Call.Prepare      => Poker.Prepare(Names.Control) -> 1
      case Call.Act(request) => act(request) -> 1
      case Call.Turn         => Poker.Turn(Names.Control) -> 1
      case Call.Run(salt)    => Poker.Run(Names.Control, salt) -> p.getTurns
      case Call.Disconnect   => Poker.Disconnect(Names.Control) -> 1
    }
  }

  private def act(request: ActRequest): Poker.Message = Poker.Act(
    Names.Control,
    request.getClient,
    request.getChoice,
    toUnsignedLong(request.getIndex),
    toUnsignedLong(request.getK)
  )

  override def fill(
      receipt: Receipt.Builder,
      started: Option[Long],
      reports: Seq[Report]
  ): Unit = {
    val chatapp = ChatAppReceipt.newBuilder
    for (Finished(sums) <- reports) sums.fill(chatapp)
    val confirmed = reports.collect { case turn: Confirmed => turn }
    for (turn <- confirmed.sortBy(_.turn.turn)) chatapp.addTurnNanos(turn.ended - turn.started)
    // The run's first stamp is the poker's, not control's.
    for (_ <- started)
      receipt.setRunNanos(confirmed.map(_.ended).max - confirmed.map(_.started).min)
    val turns = confirmed.map(_.turn)
    chatapp
      .setFibSum(turns.map(_.value).sum)
      .setConfirms(turns.size.toLong)
      .setStops(turns.map(_.stops).sum)
      .setAnnounced(turns.foldLeft(Digest.Zero)(_ + _.announced).toLong)
      .setConsumed(turns.foldLeft(Digest.Zero)(_ + _.consumed).toLong)
    receipt.setChatapp(chatapp): Unit
  }
}

/** What the poker tells control. */
object ChatApp {
  case object Ready extends Report
  final case class Confirmed(turn: Poker.Confirm, started: Long, ended: Long) extends Report.Step
  final case class Finished(sums: Sums) extends Report
}

/** A client as others know it: by number and by reference. */
final case class ClientRef(number: Int, ref: ActorRef[Client.Message])

/** What clients did, summed on its way up. */
final case class Sums(
    lcg: Long,
    computes: Long,
    posts: Long,
    leaves: Long,
    invites: Long,
    nones: Long,
    deliveries: Long,
    joins: Long
) {
  def +(that: Sums): Sums = Sums(
    lcg + that.lcg,
    computes + that.computes,
    posts + that.posts,
    leaves + that.leaves,
    invites + that.invites,
    nones + that.nones,
    deliveries + that.deliveries,
    joins + that.joins
  )

  def entry(kind: Int): Entry =
    Entry(kind, lcg, computes, posts, leaves, invites, nones, deliveries, joins)

  def fill(receipt: ChatAppReceipt.Builder): Unit =
    receipt
      .setLcgChecksum(lcg)
      .setComputes(computes)
      .setPosts(posts)
      .setLeaves(leaves)
      .setInvites(invites)
      .setNones(nones)
      .setDeliveries(deliveries)
      .setJoins(joins): Unit
}

object Sums {
  val None: Sums = Sums(0, 0, 0, 0, 0, 0, 0, 0)
}
