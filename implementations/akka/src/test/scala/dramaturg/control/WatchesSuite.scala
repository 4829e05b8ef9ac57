package dramaturg.control

import dramaturg.v2.ControlOuterClass.{TraceResponse, Watch}
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_PEER_MARK_VALUE
import dramaturg.{Entry, Message, Names}
import munit.FunSuite

import scala.collection.mutable
import scala.jdk.CollectionConverters._

class WatchesSuite extends FunSuite {
  import WatchesSuite._

  private val everybody =
    Watch.newBuilder.setModulus(1).setLast(-1).setEvents(-1).build
  private val oddPeers =
    everybody.toBuilder.setClass_(ACTOR_CLASS_PEER_VALUE).setModulus(2).setRemainder(1).build

  private def peer(index: Int): Long = Names(ACTOR_CLASS_PEER_VALUE, index)

  /** What peer/1 logs of ten messages, and how many it says it took. */
  private def watched(watches: Watches, messages: Range = 0 until 10): (Seq[Long], Long) = {
    val log = watches.logOf(peer(1))
    messages.foreach(number => log.take(Numbered(Names.Control, number)))
    val trace = traced(watches)
    (arguments(trace), trace.filter(_.hasCounts).map(_.getCounts.getTaken(0)).head)
  }

  private def traced(watches: Watches): Seq[TraceResponse] = {
    val trace = mutable.Buffer.empty[TraceResponse]
    watches.trace(item => trace += item.build)
    trace.toSeq
  }

  private def batches(trace: Seq[TraceResponse]) = trace.filter(_.hasBatch).map(_.getBatch)

  private def arguments(trace: Seq[TraceResponse]): Seq[Long] =
    batches(trace).flatMap(_.getArgsList.asScala.map(_.longValue))

  /** An actor's turn, on a thread of its own. */
  private def taking(log: Log, messages: Range) =
    new Thread(() => messages.foreach(number => log.take(Numbered(Names.Control, number))))

  private def awaitFull(actor: Thread): Unit =
    while (actor.getState != Thread.State.WAITING) {
      assert(actor.isAlive, "it did not wait")
      Thread.sleep(1)
    }

  test("without watches nobody has a log") {
    assertEquals(new Watches(Nil).logOf(peer(1)), null)
  }

  test("a row of class 0 is for everybody") {
    val watches = new Watches(Seq(everybody))
    for (name <- Seq(peer(0), peer(1), Names(ACTOR_CLASS_CHAT_VALUE, -1, 2)))
      assertNotEquals(watches.logOf(name), null)
  }

  test("class, remainder and range decide who is watched") {
    val watches = new Watches(Seq(oddPeers.toBuilder.setFirst(3).setLast(5).build))
    assertEquals((0 until 8).filter(i => watches.logOf(peer(i)) != null), Seq(3, 5))
    assertEquals(watches.logOf(Names(ACTOR_CLASS_SENDER_VALUE, 3)), null)
  }

  test("the first row that fits is an actor's watch") {
    val short = oddPeers.toBuilder.setEvents(1).build
    assertEquals(watched(new Watches(Seq(short, oddPeers)))._1, Seq(0L))
  }

  test("a log is a slice, and counts all the same") {
    val slice = oddPeers.toBuilder.setFrom(3).setEvents(4).build
    assertEquals(watched(new Watches(Seq(slice))), (Seq(3L, 4L, 5L, 6L), 10L))
  }

  test("a trace has what is new, whom it counts, and a footer that says how much") {
    val watches = new Watches(Seq(oddPeers))
    watched(watches)
    watches.logOf(peer(3))
    val trace = traced(watches)
    assertEquals(batches(trace), Nil)
    assertEquals(
      trace.init.flatMap(_.getCounts.getTakenList.asScala.map(_.longValue)),
      Seq(10L, 0L)
    )
    assertEquals(trace.last.getFooter.getEvents, 0L)
    assertEquals(trace.last.getFooter.getWatched, 2L)
  }

  test("a limit counts what is held, holds actors back, and gives room for what is delivered") {
    val watches = new Watches(Seq(oddPeers))
    val log = watches.logOf(peer(1))
    log.take(Numbered(Names.Control, 0))
    val actor = taking(log, 1 until 10)
    watches.limited(3) {
      actor.start()
      for (expected <- Seq(0 until 3, 3 until 6)) {
        awaitFull(actor)
        val trace = traced(watches)
        assertEquals(arguments(trace), expected.map(_.toLong))
        assertEquals(trace.last.getFooter.getWatched, 0L)
        assert(!trace.exists(_.hasCounts))
      }
      awaitFull(actor)
    }
    actor.join()
    val rest = traced(watches)
    assertEquals(arguments(rest), Seq(6L, 7L, 8L, 9L))
    assertEquals(rest.last.getFooter.getWatched, 1L)
  }

  test("a limit is that of all actors together, and exact whatever they do at once") {
    val watches = new Watches(Seq(everybody))
    val limit = 100
    val actors = (0 until 4).map(index => taking(watches.logOf(peer(index)), 0 until 10000))
    val events = mutable.Buffer.empty[Long]
    watches.limited(limit) {
      actors.foreach(_.start())
      actors.foreach(awaitFull)
      while (events.sum < 40000) events += traced(watches).last.getFooter.getEvents
    }
    assertEquals(events.head, limit.toLong)
    assertEquals(events.max, limit.toLong)
    assertEquals(events.sum, 40000L)
  }

  test("a limit ends with what it is for, however that ends") {
    val watches = new Watches(Seq(oddPeers))
    val actor = taking(watches.logOf(peer(1)), 0 until 9)
    intercept[IllegalStateException](watches.limited(3) {
      actor.start()
      awaitFull(actor)
      throw new IllegalStateException("on purpose")
    })
    actor.join()
    assertEquals(arguments(traced(watches)).size, 9)
  }

  test("names are spelled as people read them") {
    assertEquals(Names.spell(Names(ACTOR_CLASS_CHAT_VALUE, 17, 2)), "chat/17.2")
    assertEquals(Names.spell(peer(17)), "peer/17")
  }
}

object WatchesSuite {
  private final case class Numbered(sender: Long, number: Int) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_PEER_MARK_VALUE, number)
  }
}
