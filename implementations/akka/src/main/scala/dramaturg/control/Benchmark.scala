package dramaturg.control

import dramaturg.chatapp.ChatApp
import dramaturg.micro._
import dramaturg.v2.Benchmarks
import dramaturg.v2.Benchmarks.Benchmark.ParametersCase._
import dramaturg.v2.Benchmarks.Receipt

/** A benchmark with its parameters, for one world. */
trait Benchmark {

  /** Spawns those who are there at first, in the order of the model. */
  def populate(births: Births): Lead

  /** Puts into the receipt what is the benchmark's own, and the run time. */
  def fill(receipt: Receipt.Builder, heard: Heard): Unit

  /** Whether every node talks to every other; if not, all talk to node 0 alone. */
  def isMesh: Boolean = false

  /** Messages that may be under way from one node to another, when there are so many nodes. */
  def underWay(nodes: Int): Long = 1

  /** What it needs of an actor system, where that is not what all others do with. */
  def settings: Map[String, Any] = Map.empty
}

object Benchmark {
  def apply(benchmark: Benchmarks.Benchmark): Benchmark = benchmark.getParametersCase match {
    case CHATAPP            => new ChatApp(benchmark.getChatapp)
    case PINGPONG           => new PingPong(benchmark.getPingpong)
    case BIG                => new Big(benchmark.getBig)
    case BANG               => new Bang(benchmark.getBang)
    case WEB                => new Web(benchmark.getWeb)
    case COUNT              => new Count(benchmark.getCount)
    case CHAIN              => new Chain(benchmark.getChain)
    case FANOUT             => new Fanout(benchmark.getFanout)
    case SLEEPERS           => new Sleepers(benchmark.getSleepers)
    case MERGESORT          => new Mergesort(benchmark.getMergesort)
    case BROKER             => new Broker(benchmark.getBroker)
    case PARAMETERS_NOT_SET => throw new IllegalArgumentException("no benchmark")
  }
}
