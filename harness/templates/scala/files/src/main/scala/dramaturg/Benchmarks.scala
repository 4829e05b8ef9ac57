package dramaturg

import dramaturg.control.Benchmark
import dramaturg.micro._
import dramaturg.nodes.OnTheWire
import dramaturg.v2.Benchmarks.Benchmark.ParametersCase._
import dramaturg.v2.Benchmarks.{Benchmark => Parameters}
import dramaturg.v2.ControlOuterClass.Probe

/** The benchmarks that `dramaturg.toml` names. */
object Benchmarks {
  def apply(parameters: Parameters): Benchmark = parameters.getParametersCase match {
    case PINGPONG => new PingPong(parameters.getPingpong)
    case other    => throw new IllegalArgumentException(s"$other is not in Benchmarks.scala")
  }

  /** Probes of what one benchmark alone does: PAYLOADS where there is broker, LATENCIES where there
    * is openweb.
    */
  def answer(probe: Probe): Seq[Long] =
    throw new IllegalArgumentException(s"${probe.getProbeCase} is not in Benchmarks.scala")

  /** Of those that run over several nodes: how their messages are read from the wire. */
  val Decoders: Map[Int, OnTheWire.Decoder] =
    PingPong.Decoders
}
