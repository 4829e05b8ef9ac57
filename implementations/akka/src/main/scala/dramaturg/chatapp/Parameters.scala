package dramaturg.chatapp

import akka.actor.typed.ActorRef
import dramaturg.v1.Benchmarks.{ChatAppParameters, Selection}
import dramaturg.v1.Trace.Choice

/** Parameters of one iteration, checked; probabilities in percent. */
final case class Parameters(
    clients: Int,
    directories: Int,
    turns: Int,
    compute: Int,
    post: Int,
    leave: Int,
    invite: Int,
    befriend: Int,
    selection: Selection,
    fibN: Int,
    history: Boolean,
    seed: Int
) {

  /** What a client may choose to do, in the order of the draws. */
  val actions: List[Action] = {
    val chances = List(
      Choice.CHOICE_COMPUTE -> compute,
      Choice.CHOICE_POST -> post,
      Choice.CHOICE_LEAVE -> leave,
      Choice.CHOICE_INVITE -> invite
    )
    val limits = chances.map { case (_, chance) => chance }.scanLeft(0)(_ + _).tail
    chances.zip(limits).map { case ((choice, chance), limit) => Action(choice, chance, limit) }
  }
}

object Parameters {
  def apply(p: ChatAppParameters): Parameters = Parameters(
    p.getClients,
    p.getDirectories,
    p.getTurns,
    p.getCompute,
    p.getPost,
    p.getLeave,
    p.getInvite,
    p.getBefriend,
    p.getSelection,
    p.getFibN,
    p.getHistory,
    p.getSeed
  )
}

/** An action, its probability, and where its range of a single draw ends. */
final case class Action(choice: Choice, chance: Int, limit: Int)

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

  /** In the order of the protocol. */
  def arguments: Seq[Long] =
    Seq(lcg, computes, posts, leaves, invites, nones, deliveries, joins)
}

object Sums {
  val None: Sums = Sums(0, 0, 0, 0, 0, 0, 0, 0)
}
