package dramaturg.control

import dramaturg.Names
import dramaturg.nodes.{Births, Home, Neighbour}
import dramaturg.v2.Benchmarks.Receipt

/** A benchmark with its parameters, for one world. */
trait Benchmark {

  /** Spawns those who are there at first, in the order of the model. */
  def populate(births: Births): Lead

  /** Puts into the receipt what was reported, and how long the run took if control started one. */
  def fill(receipt: Receipt.Builder, started: Option[Long], reports: Seq[Report]): Unit

  /** Whether every node talks to every other; if not, all talk to node 0 alone. */
  def isMesh: Boolean = false

  /** Messages that may be under way from one node to another, when there are so many nodes. */
  def underWay(nodes: Int): Long = 1

  /** Of the longest message between nodes, about how many bytes there are. */
  def longest: Long = 0

  /** Where an actor lives that others make in the run, over so many nodes. */
  def home(name: Long, nodes: Int): Home = nobody(name)

  /** Brings to life here whom an actor of another node has made (DIST-7). */
  def born(births: Births, birth: Neighbour.Birth): Unit = nobody(birth.name)

  private def nobody(name: Long): Nothing =
    throw new IllegalStateException(s"nobody makes ${Names.spell(name)}")

  /** What it needs of an actor system, where that is not what all others do with. */
  def settings: Map[String, Any] = Map.empty
}
