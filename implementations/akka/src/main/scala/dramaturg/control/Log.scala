package dramaturg.control

import dramaturg.v2.ControlOuterClass.{TraceResponse, Watch}
import dramaturg.v2.Trace.{TraceBatch, TraceCounts, TraceFooter}
import dramaturg.{Entry, Message, Names}

import java.lang.Integer.toUnsignedLong
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicLong
import scala.jdk.CollectionConverters._

/** What one watched actor took (TRACE-1). Written by the actor alone, read by control. */
final class Log(val actor: Long, watch: Watch, room: Room) {
  private val first = toUnsignedLong(watch.getFrom)
  private val last =
    if (watch.getEvents == -1) Long.MaxValue else first + toUnsignedLong(watch.getEvents) - 1
  private val counter = new AtomicLong
  private val rows = new ConcurrentLinkedQueue[Log.Row]

  def take(message: Message): Unit = {
    val number = counter.getPlain
    if (number >= first && number <= last) {
      room.take()
      rows.add(Log.Row(actor, message.sender, message.entry))
    }
    counter.lazySet(number + 1)
  }

  /** How many rows are not yet read. */
  def held: Int = rows.size

  /** What was logged before this call, gone from here once read. */
  def unread: Iterator[Log.Row] = Iterator.fill(held)(rows.poll())

  /** How many messages the actor has taken, logged or not. */
  def taken: Long = counter.get
}

object Log {
  final case class Row(actor: Long, sender: Long, entry: Entry)
}

/** The watches of one world, and the logs of those who were born into it and are watched. */
final class Watches(rows: Seq[Watch]) {
  import Watches._

  private val room = new Room
  private val ofClass =
    Array.tabulate(Classes)(c => rows.filter(w => w.getClass_ == 0 || w.getClass_ == c).toList)
  private val logs = new ConcurrentLinkedQueue[Log]

  /** The log of an actor that is being born; null if nobody watches it. */
  def logOf(name: Long): Log = {
    val candidates = ofClass(Names.classOf(name))
    if (candidates.isEmpty) null
    else
      candidates.find(fits(_, toUnsignedLong(Names.indexOf(name)))).fold[Log](null) { watch =>
        val log = new Log(name, watch, room)
        logs.add(log)
        log
      }
  }

  /** While this goes on, no more than so many events are logged and not delivered, if nobody takes
    * anything when it begins; 0 is no limit (CTRL-18).
    */
  def limited(events: Int)(body: => Unit): Unit =
    if (events == 0) body
    else {
      // The limit does not come in the middle of a trace.
      synchronized(room.limit(toUnsignedLong(events), logs.iterator.asScala.map(_.held.toLong).sum))
      try body
      finally room.limit(0, 0)
    }

  /** Batches of what was logged and not yet read, then counts unless there is a limit, then the
    * footer.
    */
  def trace(send: TraceResponse.Builder => Unit): Unit = synchronized {
    // The run may end meanwhile.
    val limited = room.isLimited
    val footer = TraceFooter.newBuilder
    for (rows <- logs.iterator.asScala.flatMap(_.unread).grouped(RowsAtOnce)) {
      val batch = TraceBatch.newBuilder
      for (row <- rows) {
        batch.addActor(row.actor).addSender(row.sender).addKind(row.entry.kind)
        row.entry.arguments.foreach(batch.addArgs(_))
      }
      footer.setEvents(footer.getEvents + rows.size)
      send(TraceResponse.newBuilder.setBatch(batch))
    }
    if (!limited) for (watched <- logs.iterator.asScala.grouped(RowsAtOnce)) {
      val counts = TraceCounts.newBuilder
      for (log <- watched) counts.addActor(log.actor).addTaken(log.taken)
      footer.setWatched(footer.getWatched + watched.size)
      send(TraceResponse.newBuilder.setCounts(counts))
    }
    send(TraceResponse.newBuilder.setFooter(footer))
    room.delivered(footer.getEvents)
  }
}

object Watches {
  private val Classes = 128

  /** Half of what is allowed: then even rows of eight ten-byte arguments stay below 4 MiB. */
  private val RowsAtOnce = 32768

  private def fits(watch: Watch, index: Long): Boolean =
    index >= toUnsignedLong(watch.getFirst) &&
      index <= toUnsignedLong(watch.getLast) &&
      index % toUnsignedLong(watch.getModulus) == toUnsignedLong(watch.getRemainder)
}
