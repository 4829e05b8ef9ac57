package dramaturg

import dramaturg.chatapp.{ChatApp, Parameters}
import dramaturg.pingpong.PingPong
import dramaturg.v1.Benchmarks.{Benchmark, ChatAppParameters, Selection}
import dramaturg.v1.ControlOuterClass.{PrepareRequest, Probe}
import io.grpc.{Status, StatusRuntimeException}

/** The ranges in benchmarks.proto and control.proto: what is outside is an invalid argument that
  * names the field, its value and its range (CTRL-3). Integers are unsigned on the wire.
  */
object Checks {
  private val AnyInt = 0xffffffffL
  // What the JVM can index; the protocol has no limit.
  private val Indexable = Int.MaxValue.toLong

  /** How to make the worlds that a request asks for. */
  def worlds(request: PrepareRequest): Stage => World = {
    if (request.getTrace && !ReceiveLog.isCompiled)
      throw invalid("trace is true; it must be false: this build cannot trace")
    request.getBenchmark.getParametersCase match {
      case Benchmark.ParametersCase.CHATAPP =>
        if (request.getPeersCount > 1)
          throw invalid(s"peers has ${request.getPeersCount} entries; ChatApp takes one node")
        val parameters = chatapp(request.getBenchmark.getChatapp)
        new ChatApp(parameters, _)
      case Benchmark.ParametersCase.PINGPONG =>
        val rounds = request.getBenchmark.getPingpong.getRounds
        within("rounds", rounds, 1, AnyInt)
        val here = place(request)
        new PingPong(Integer.toUnsignedLong(rounds), here, _)
      case _ => throw invalid("benchmark is unset or unknown; it must be one of chatapp, pingpong")
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
    within("fib_n", p.getFibN, 0, 47)
    within("seed", p.getSeed, 0, 65535)
    Parameters(p)
  }

  private def place(request: PrepareRequest): PingPong.Place = {
    val nodes = request.getPeersCount
    if (nodes > 2) throw invalid(s"peers has $nodes entries; ping-pong takes two nodes")
    within("node", request.getNode, 0, (nodes - 1).max(0).toLong)
    if (nodes < 2) PingPong.Both
    else if (request.getNode == 0) PingPong.PingTo(request.getPeers(1))
    else PingPong.PongOnly
  }

  def probe(probe: Probe): Unit = probe.getProbeCase match {
    case Probe.ProbeCase.LCG     => within("seed", probe.getLcg.getSeed, 0, 65535)
    case Probe.ProbeCase.SHUFFLE =>
      within("seed", probe.getShuffle.getSeed, 0, 65535)
      within("length", probe.getShuffle.getLength, 0, Indexable)
    case Probe.ProbeCase.FIBONACCI => within("n", probe.getFibonacci.getN, 0, 47)
    case _                         => throw invalid("probe is unset or unknown")
  }

  def within(field: String, value: Int, least: Long, most: Long): Unit = {
    val number = Integer.toUnsignedLong(value)
    if (number < least || number > most)
      throw invalid(s"$field is $number; it must be in $least..$most")
  }

  private def invalid(message: String): StatusRuntimeException =
    Status.INVALID_ARGUMENT.withDescription(message).asRuntimeException
}
