package dramaturg.chatapp

import akka.actor.typed.ActorRef
import dramaturg.control._
import dramaturg.nodes.{Addresses, Births, Home, Neighbour, OnTheWire}
import dramaturg.v2.Benchmarks.{ChatAppParameters, ChatAppReceipt, Receipt}
import dramaturg.v2.ControlOuterClass.ActRequest
import dramaturg.v2.Trace.ActorClass._
import dramaturg.{Digest, Entry, Names}

import java.lang.Integer.toUnsignedLong

/** A chat service and its users (spec/chatapp.md). */
final class ChatApp(p: ChatAppParameters) extends Benchmark {
  import ChatApp._

  private val parameters = Parameters(p)

  override def isMesh: Boolean = true

  /** A node's part of the whole run, if each act is a post into a chat of all friends, who are twice
    * as many as are drawn; and of set-up. More than the limit does not fit into a node's memory.
    */
  override def underWay(nodes: Int): Long = {
    val friends = 2L * (p.getClients.toLong / p.getDirectories * p.getBefriend / 100 + 1)
    ((p.getTurns + 1L) * p.getClients * (2 * friends + 4) / nodes).min(MostUnderWay)
  }

  /** A client's friends are of its directory, and live on other nodes than itself. Whoever is made
    * on its maker's node is its child, on another the guardian's; a chat is nobody's.
    */
  override def home(name: Long, nodes: Int): Home = {
    val index = Names.indexOf(name)
    def child(node: Int, maker: Home): Home =
      Home(node, s"${if (node == maker.node) maker.path else ""}/${Names.inPath(name)}")
    def column = index / p.getDirectories % nodes
    Names.classOf(name) match {
      case ACTOR_CLASS_ACCUMULATOR_VALUE => child(0, home(PokerName, nodes))
      case ACTOR_CLASS_DIRECTORY_VALUE   => child(index % nodes, home(PokerName, nodes))
      case ACTOR_CLASS_CLIENT_VALUE      =>
        val directory = Names(ACTOR_CLASS_DIRECTORY_VALUE, index % p.getDirectories)
        child(column, home(directory, nodes))
      case ACTOR_CLASS_CHAT_VALUE => Home(column, Addresses.besideGuardian(name))
      case _                      => Home(0, s"/${Names.inPath(name)}")
    }
  }

  override def born(births: Births, birth: Neighbour.Birth): Unit = {
    import births.{addresses, world}
    val index = Names.indexOf(birth.name)
    val (seed, maker) = (birth.seed, birth.sender)
    Names.classOf(birth.name) match {
      case ACTOR_CLASS_DIRECTORY_VALUE =>
        val behavior = Directory(index, seed, addresses(maker), parameters, world, addresses)
        births.here(birth.name, behavior): Unit
      case ACTOR_CLASS_CLIENT_VALUE =>
        val behavior = Client(index, seed, addresses(maker), parameters, world, addresses)
        births.here(birth.name, behavior): Unit
      case _ => super.born(births, birth)
    }
  }

  override def populate(births: Births): Lead = {
    val poker = births.one[Poker.Message](PokerName)(
      new Poker(parameters, births.world, births.addresses, _)
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
  private val PokerName = Names(ACTOR_CLASS_POKER_VALUE)
  private val MostUnderWay = 1L << 24

  case object Ready extends Report
  final case class Confirmed(turn: Poker.Confirm, started: Long, ended: Long) extends Report.Step
  final case class Finished(sums: Sums) extends Report

  val Decoders: Map[Int, OnTheWire.Decoder] =
    Poker.Decoders ++ Directory.Decoders ++ Client.Decoders ++ Chat.Decoders ++
      Accumulator.Decoders
}

/** A client as others know it: by number and by reference. */
final case class ClientRef(number: Int, ref: ActorRef[Client.Message])

object ClientRef {
  def apply(number: Int, in: OnTheWire.Arguments): ClientRef =
    ClientRef(number, in.actor[Client.Message](Names(ACTOR_CLASS_CLIENT_VALUE, number)))
}

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

  def apply(in: OnTheWire.Arguments): Sums = Sums(
    in.long(),
    in.long(),
    in.long(),
    in.long(),
    in.long(),
    in.long(),
    in.long(),
    in.long()
  )
}
