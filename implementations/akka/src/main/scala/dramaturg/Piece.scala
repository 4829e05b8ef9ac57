package dramaturg

import dramaturg.micro._
import dramaturg.v1.Benchmarks.{Benchmark, Receipt}

/** A micro-benchmark with its parameters. */
trait Piece {

  /** Brings its actors to life, in the order of the model. */
  def cast(company: Company): Cue

  /** Puts its counts into the receipt. */
  def fill(receipt: Receipt.Builder, said: Reports): Unit

  def windows: Int = 0

  /** Over how many nodes it can be spread: none of them is without an actor. */
  def mostNodes: Long = 1

  /** Whether every node talks to every other; if not, all talk to node 0 alone. */
  def isMesh: Boolean = false

  /** Messages that may be under way from one node to another, when there are so many nodes. */
  def underWay(nodes: Int): Long = 1

  /** What it needs of the actor system. */
  def settings: Map[String, Any] = Map.empty
}

object Piece {
  val Names: List[String] = List(
    "pingpong",
    "big",
    "bang",
    "web",
    "count",
    "chain",
    "fanout",
    "sleepers",
    "mergesort",
    "broker"
  )
  val Distributed: List[String] = List("pingpong", "big", "bang", "web")

  /** The one that these parameters ask for; throws as [[Checks]] does. */
  def apply(benchmark: Benchmark): Option[Piece] = {
    import Benchmark.ParametersCase._
    Option(benchmark.getParametersCase).collect {
      case PINGPONG  => PingPong(benchmark.getPingpong)
      case BIG       => Big(benchmark.getBig)
      case BANG      => Bang(benchmark.getBang)
      case WEB       => Web(benchmark.getWeb)
      case COUNT     => Count(benchmark.getCount)
      case CHAIN     => Chain(benchmark.getChain)
      case FANOUT    => Fanout(benchmark.getFanout)
      case SLEEPERS  => Sleepers(benchmark.getSleepers)
      case MERGESORT => Mergesort(benchmark.getMergesort)
      case BROKER    => Broker(benchmark.getBroker)
    }
  }
}

/** What control has heard in one iteration: the lead's last word, what actors of this node took
  * (only those benchmarks tell that can be spread over several), and the windows.
  */
final case class Reports(done: Counts, here: Counts, windows: Seq[Inbox.Window])

/** Up to three counts, in the order of a `done` or of the benchmark's receipt. */
final case class Counts(first: Long = 0, second: Long = 0, third: Long = 0) {
  def +(that: Counts): Counts =
    Counts(first + that.first, second + that.second, third + that.third)
}
