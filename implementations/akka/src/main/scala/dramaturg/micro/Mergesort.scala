package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.Births
import dramaturg.v2.Benchmarks.MergesortParameters
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Names, Stream}

import java.util.Arrays

/** Mergesort: a tree of actors that split a list and merge it back (spec/mergesort.md).
  *
  * A list is an array that travels in one message and is nobody's after that: a half is copied
  * before it is sent, a merged list is new, and nothing is written to an array that has arrived.
  */
final class Mergesort(p: MergesortParameters) extends Micro("mergesort") {
  import Mergesort._

  override def populate(births: Births): Lead = {
    val root = births.one[Sorter.Message](Names(ACTOR_CLASS_SORTER_VALUE, 1))(
      new Sorter(1, None, p, births.world, _)
    )
    Lead(root) { case Call.Run(salt) =>
      Sorter.Sort(Names.Control, 0, p.getLength, Array.emptyIntArray, salt) -> 1
    }
  }
}

object Mergesort {

  /** The input, which depends on the salt, and each integer on those before it (SORT-1). */
  def integers(p: MergesortParameters, salt: Digest): Array[Int] = {
    val stream = new Stream(salt.fold(p.getSeed))
    val integers = new Array[Int](p.getLength)
    var i = 0
    while (i < integers.length) {
      integers(i) = stream.next() >>> 16
      i += 1
    }
    integers
  }

  /** The root makes the list, everybody else is sent one. Splits in two halves, the first the longer if they differ, or sorts. */
  final class Sorter(
      place: Int,
      maker: Option[ActorRef[Sorter.Message]],
      p: MergesortParameters,
      world: World,
      context: ActorContext[Sorter.Message]
  ) extends Actor[Sorter.Message](Names(ACTOR_CLASS_SORTER_VALUE, place), world, context) {
    private var salt = Digest.Zero
    private var half: Sorter.Sorted = _

    override protected def take(message: Sorter.Message): Behavior[Sorter.Message] = message match {
      case m: Sorter.Sort   => sort(m)
      case m: Sorter.Sorted => sorted(m)
    }

    private def sort(m: Sorter.Sort): Behavior[Sorter.Message] = {
      val items = if (maker.isEmpty) integers(p, m.salt) else m.items
      salt = m.salt
      if (m.length <= p.getLeaf) report(if (m.length > 1) items.sorted else items, 1)
      else {
        val middle = (m.length + 1) / 2
        split(2 * place, m.first, Arrays.copyOfRange(items, 0, middle))
        split(2 * place + 1, m.first + middle, Arrays.copyOfRange(items, middle, m.length))
        this
      }
    }

    private def split(place: Int, first: Int, items: Array[Int]): Unit = {
      val sorter = context.spawnAnonymous(Sorter(place, Some(context.self), p, world))
      sorter ! Sorter.Sort(name, first, items.length, items, salt)
    }

    private def sorted(m: Sorter.Sorted): Behavior[Sorter.Message] =
      if (half eq null) {
        half = m
        this
      } else report(merge(half.items, m.items), 1 + half.sorters + m.sorters)

    private def report(items: Array[Int], sorters: Int): Behavior[Sorter.Message] = {
      maker match {
        case Some(maker) => maker ! Sorter.Sorted(name, items, sorters, salt)
        case None        =>
          val merged = Stopwatch.stop()
          done(merged)(items.length.toLong, sorters.toLong, Digest.checksum(salt, items).toLong)
      }
      Behaviors.stopped
    }
  }

  object Sorter {
    sealed trait Message extends dramaturg.Message

    /** `items` are so many, but for the root: control sends it none. */
    final case class Sort(
        sender: Long,
        first: Int,
        length: Int,
        items: Array[Int],
        salt: Digest
    ) extends Message {
      def entry: Entry = Entry(
        MESSAGE_KIND_SORTER_SORT_VALUE,
        first,
        length,
        salt.toLong,
        Digest.checksum(salt, items).toLong
      )
    }

    final case class Sorted(sender: Long, items: Array[Int], sorters: Int, salt: Digest)
        extends Message {
      def entry: Entry = Entry(
        MESSAGE_KIND_SORTER_SORTED_VALUE,
        items.length,
        sorters,
        Digest.checksum(salt, items).toLong
      )
    }

    def apply(
        place: Int,
        maker: Option[ActorRef[Message]],
        p: MergesortParameters,
        world: World
    ): Behavior[Message] =
      Actor(Names(ACTOR_CLASS_SORTER_VALUE, place), world)(new Sorter(place, maker, p, world, _))
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
