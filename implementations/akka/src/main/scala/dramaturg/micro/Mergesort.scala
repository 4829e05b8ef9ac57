package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Benchmarks.{MergesortParameters, MergesortReceipt, Receipt}
import dramaturg.v1.Trace.MessageKind._
import dramaturg._

/** Mergesort: a tree of actors that split a list and merge it back (spec/mergesort.md).
  *
  * A list is an array that travels in one message and is nobody's after that: a half is copied
  * before it is sent, a merged list is new, and nothing is written to an array that has arrived.
  */
final case class Mergesort(p: Mergesort.Parameters) extends Piece {
  import Mergesort._

  override def cast(company: Company): Cue = {
    val lcg = new Lcg(p.seed)
    val numbers = Array.fill(p.length)(lcg.next())
    val root = company.one[Sorter.Message](Names.sorter(1))(
      new Sorter(1, None, p.leaf, company.scene, _)
    )
    Cue(root, Sorter.Sort(Names.Control, 0, numbers))
  }

  override def fill(receipt: Receipt.Builder, said: Reports): Unit = {
    val counts =
      MergesortReceipt.newBuilder.setChecksum(said.done.second).setSorters(said.done.third)
    receipt.setMergesort(counts): Unit
  }
}

object Mergesort {

  /** Integers to sort, the length that is not split any more, and the LCG's seed. */
  final case class Parameters(length: Int, leaf: Int, seed: Int)

  def apply(p: MergesortParameters): Mergesort =
    Mergesort(
      Parameters(
        Checks.ranged("length", p.getLength, 1, Checks.MostSpawned).toInt,
        Checks.ranged("leaf", p.getLeaf, 1, Checks.MostSpawned).toInt,
        Checks.ranged("seed", p.getSeed, 0, 65535).toInt
      )
    )

  /** Splits in two halves, the first the longer if they differ, or sorts. */
  final class Sorter(
      place: Int,
      maker: Option[ActorRef[Sorter.Message]],
      leaf: Int,
      scene: Scene,
      context: ActorContext[Sorter.Message]
  ) extends Role[Sorter.Message](Names.sorter(place), scene, context) {
    private var half = Option.empty[Sorter.Sorted]

    override protected def take(message: Sorter.Message): Behavior[Sorter.Message] = message match {
      case m: Sorter.Sort   => sort(m)
      case m: Sorter.Sorted => sorted(m)
    }

    private def sort(m: Sorter.Sort): Behavior[Sorter.Message] = {
      val length = m.items.length
      if (length <= leaf) report(if (length > 1) m.items.sorted else m.items, 1)
      else {
        val middle = (length + 1) / 2
        split(2 * place, m.first, java.util.Arrays.copyOfRange(m.items, 0, middle))
        split(
          2 * place + 1,
          m.first + middle,
          java.util.Arrays.copyOfRange(m.items, middle, length)
        )
        this
      }
    }

    private def split(place: Int, first: Int, items: Array[Int]): Unit = {
      val sorter = context.spawnAnonymous(Sorter(place, Some(context.self), leaf, scene))
      sorter ! Sorter.Sort(name, first, items)
    }

    private def sorted(m: Sorter.Sorted): Behavior[Sorter.Message] = half match {
      case None =>
        half = Some(m)
        this
      case Some(other) => report(merge(other.items, m.items), 1 + other.sorters + m.sorters)
    }

    private def report(items: Array[Int], sorters: Int): Behavior[Sorter.Message] = maker match {
      case None        => done(items.length.toLong, Checksum(items), sorters.toLong)
      case Some(maker) =>
        maker ! Sorter.Sorted(name, items, sorters)
        Behaviors.stopped
    }
  }

  object Sorter {
    sealed trait Message extends dramaturg.Message

    final case class Sort(sender: Long, first: Int, items: Array[Int]) extends Message {
      def entry: Entry =
        Entry(MESSAGE_KIND_SORTER_SORT, first, items.length, Checksum(items))
    }

    final case class Sorted(sender: Long, items: Array[Int], sorters: Int) extends Message {
      def entry: Entry =
        Entry(MESSAGE_KIND_SORTER_SORTED, items.length, Checksum(items), sorters)
    }

    def apply(
        place: Int,
        maker: Option[ActorRef[Message]],
        leaf: Int,
        scene: Scene
    ): Behavior[Message] =
      Role(Names.sorter(place), scene)(new Sorter(place, maker, leaf, scene, _))
  }

  private def merge(a: Array[Int], b: Array[Int]): Array[Int] = {
    val merged = new Array[Int](a.length + b.length)
    var i, j = 0
    while (i < a.length && j < b.length)
      if (a(i) <= b(j)) {
        merged(i + j) = a(i)
        i += 1
      } else {
        merged(i + j) = b(j)
        j += 1
      }
    // Of one of them nothing is left.
    val k = i + j
    System.arraycopy(a, i, merged, k, a.length - i)
    System.arraycopy(b, j, merged, k, b.length - j)
    merged
  }
}
