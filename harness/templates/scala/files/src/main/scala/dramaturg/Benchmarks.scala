package dramaturg

import dramaturg.control.Benchmark
import dramaturg.micro._
import dramaturg.nodes.OnTheWire
import dramaturg.v2.Benchmarks.Benchmark.ParametersCase._
import dramaturg.v2.Benchmarks.{Benchmark => Parameters}

/** The benchmarks that `dramaturg.toml` names. */
object Benchmarks {
  def apply(parameters: Parameters): Benchmark = parameters.getParametersCase match {
    case PINGPONG => new PingPong(parameters.getPingpong)
    case other    => throw new IllegalArgumentException(s"$other is not in Benchmarks.scala")
  }

  /** Of those that run over several nodes: how their messages are read from the wire. */
  val Decoders: Map[Int, OnTheWire.Decoder] =
    PingPong.Decoders
}
