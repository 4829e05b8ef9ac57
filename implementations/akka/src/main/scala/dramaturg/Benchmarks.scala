package dramaturg

import dramaturg.chatapp.ChatApp
import dramaturg.control.Benchmark
import dramaturg.micro._
import dramaturg.nodes.OnTheWire
import dramaturg.v2.Benchmarks.Benchmark.ParametersCase._
import dramaturg.v2.Benchmarks.{Benchmark => Parameters}
import dramaturg.v2.ControlOuterClass.Probe
import dramaturg.v2.ControlOuterClass.Probe.ProbeCase.{LATENCIES, PAYLOADS}

/** The benchmarks that there are. */
object Benchmarks {
  def apply(parameters: Parameters): Benchmark = parameters.getParametersCase match {
    case CHATAPP   => new ChatApp(parameters.getChatapp)
    case PINGPONG  => new PingPong(parameters.getPingpong)
    case BIG       => new Big(parameters.getBig)
    case BANG      => new Bang(parameters.getBang)
    case WEB       => new Web(parameters.getWeb)
    case COUNT     => new Count(parameters.getCount)
    case CHAIN     => new Chain(parameters.getChain)
    case FANOUT    => new Fanout(parameters.getFanout)
    case SLEEPERS  => new Sleepers(parameters.getSleepers)
    case MERGESORT => new Mergesort(parameters.getMergesort)
    case BROKER    => new Broker(parameters.getBroker)
    case _         => new OpenWeb(parameters.getOpenweb)
  }

  /** Probes of what one benchmark alone does, and as it does it in a run. */
  def answer(probe: Probe): Seq[Long] = probe.getProbeCase match {
    case PAYLOADS  => Broker.answer(probe.getPayloads)
    case LATENCIES => OpenWeb.answer(probe.getLatencies)
    case other     => throw new IllegalArgumentException(s"there is no probe $other")
  }

  /** Of those that run over several nodes: how their messages are read from the wire. */
  val Decoders: Map[Int, OnTheWire.Decoder] =
    ChatApp.Decoders ++ PingPong.Decoders ++ Big.Decoders ++ Bang.Decoders ++ Web.Decoders ++
      Broker.Decoders
}
