package dramaturg

import dramaturg.chatapp.{ChatApp, Parameters}
import dramaturg.v1.Benchmarks.{ChatAppParameters, Selection}
import dramaturg.v1.ControlOuterClass.{PrepareRequest, Probe}
import io.grpc.{Status, StatusRuntimeException}

import scala.jdk.CollectionConverters._

/** The ranges in benchmarks.proto and control.proto: what is outside is an invalid argument that
  * names the field, its value and its range (CTRL-3). Integers are unsigned on the wire.
  */
object Checks {
  val AnyInt = 0xffffffffL
  val MostActors = 1048576L
  val MostSpawned = 16777216L
  val MostFibonacci = 47L
  // What the JVM can index; the protocol has no limit.
  private val Indexable = Int.MaxValue.toLong

  /** What a Prepare asks for: how to make its worlds, where, and what they need of Akka. */
  final case class Set(newWorld: Stage => World, place: Place, settings: Map[String, Any])

  def set(request: PrepareRequest): Set = {
    if (request.getTrace && !ReceiveLog.isCompiled)
      throw invalid("trace is true; it must be false: this build cannot trace")
    if (request.getBenchmark.hasChatapp) {
      val parameters = chatapp(request.getBenchmark.getChatapp)
      Set(new ChatApp(parameters, _), place(request, mostNodes = 1), Map.empty)
    } else
      Piece(request.getBenchmark).fold {
        val known = ("chatapp" :: Piece.Names).mkString(", ")
        throw invalid(s"benchmark is unset or unknown; it must be one of $known")
      } { piece =>
        val here = place(request, piece.mostNodes)
        val queue = if (here.isAlone) Map.empty else Stage.queues(piece.underWay(here.nodes))
        Set(new Micro(piece, _), here, piece.settings ++ queue)
      }
  }

  def chatapp(p: ChatAppParameters): Parameters = {
    within("clients", p.getClients, 1, Indexable)
    within("directories", p.getDirectories, 1, p.getClients.toLong)
    within("turns", p.getTurns, 1, Indexable)
    within("compute", p.getCompute, 0, 100)
    within("post", p.getPost, 0, 100)
    within("leave", p.getLeave, 0, 100)
    within("invite", p.getInvite, 0, 100)
    within("befriend", p.getBefriend, 0, 100)
    within(
      "selection",
      p.getSelectionValue,
      Selection.SELECTION_CUMULATIVE_VALUE.toLong,
      Selection.SELECTION_CASCADE_VALUE.toLong
    )
    within("fib_n", p.getFibN, 0, MostFibonacci)
    within("seed", p.getSeed, 0, 65535)
    Parameters(p)
  }

  /** `rounds`, of which there are none where there are windows. */
  def rounds(value: Int, windowing: Windowing): Long =
    if (windowing.isOn) ranged("rounds", value, 0, 0) else ranged("rounds", value, 1, AnyInt)

  private def place(request: PrepareRequest, mostNodes: Long): Place = {
    val nodes = request.getPeersCount
    if (nodes > mostNodes.max(1))
      throw invalid(s"peers has $nodes entries; with these parameters it must be 0..$mostNodes")
    within("node", request.getNode, 0, (nodes - 1).max(0).toLong)
    if (nodes < 2) Place.Alone
    else Place(request.getNode, request.getPeersList.asScala.toVector)
  }

  def probe(probe: Probe): Unit = probe.getProbeCase match {
    case Probe.ProbeCase.LCG     => within("seed", probe.getLcg.getSeed, 0, 65535)
    case Probe.ProbeCase.SHUFFLE =>
      within("seed", probe.getShuffle.getSeed, 0, 65535)
      within("length", probe.getShuffle.getLength, 0, Indexable)
    case Probe.ProbeCase.FIBONACCI => within("n", probe.getFibonacci.getN, 0, MostFibonacci)
    case _                         => throw invalid("probe is unset or unknown")
  }

  def within(field: String, value: Int, least: Long, most: Long): Unit =
    ranged(field, value, least, most): Unit

  /** The number itself. */
  def ranged(field: String, value: Int, least: Long, most: Long): Long = {
    val number = Integer.toUnsignedLong(value)
    if (number < least || number > most)
      throw invalid(s"$field is $number; it must be in $least..$most")
    number
  }

  private def invalid(message: String): StatusRuntimeException =
    Status.INVALID_ARGUMENT.withDescription(message).asRuntimeException
}
