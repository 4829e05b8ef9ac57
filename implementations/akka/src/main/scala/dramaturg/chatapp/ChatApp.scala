package dramaturg.chatapp

import akka.actor.typed.ActorRef
import dramaturg.Digest
import dramaturg.control._
import dramaturg.v2.Benchmarks.{ChatAppParameters, ChatAppReceipt, Receipt}
import dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_POKER_VALUE

/** A chat service and its users (spec/chatapp.md). */
final class ChatApp(p: ChatAppParameters) extends Benchmark {
  override def populate(births: Births): Lead = {
    val poker = births.one[Poker.Message](Names(ACTOR_CLASS_POKER_VALUE))(
      new Poker(Parameters(p), births.world, _)
    )
    Lead(poker) {
      case Call.Prepare                       => Poker.Prepare(Names.Control) -> 1
      case Call.Act(client, choice, index, k) =>
        Poker.Act(Names.Control, client, choice, index, k) -> 1
      case Call.Turn       => Poker.Turn(Names.Control) -> 1
      case Call.Run(salt)  => Poker.Run(Names.Control, salt) -> p.getTurns
      case Call.Disconnect => Poker.Disconnect(Names.Control) -> 1
    }
  }

  override def fill(receipt: Receipt.Builder, heard: Heard): Unit = {
    val turns = heard.confirmed
    val chatapp = ChatAppReceipt.newBuilder
      .setFibSum(turns.map(_.value).sum)
      .setConfirms(turns.size.toLong)
      .setStops(turns.map(_.stops).sum)
      .setAnnounced(turns.map(_.announced).foldLeft(Digest.Zero)(_ + _).toLong)
      .setConsumed(turns.map(_.consumed).foldLeft(Digest.Zero)(_ + _).toLong)
    for (turn <- turns.sortBy(_.turn)) chatapp.addTurnNanos(turn.ended - turn.started)
    for (Report.Finished(sums) <- heard.finished) sums.fill(chatapp)
    for (_ <- heard.started)
      receipt.setRunNanos(turns.map(_.ended).max - turns.map(_.started).min)
    receipt.setChatapp(chatapp): Unit
  }
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
