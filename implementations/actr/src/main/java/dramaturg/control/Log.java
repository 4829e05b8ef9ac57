package dramaturg.control;

import static java.lang.Integer.toUnsignedLong;

import dramaturg.Message;
import dramaturg.Message.Entry;
import dramaturg.v2.ControlOuterClass.Watch;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** What one watched actor took (TRACE-16). Written by the actor alone, read by control. */
public final class Log {
  private static final int ALL = -1;

  private final long actor;
  private final long first;
  private final long last;
  private final AtomicLong taken = new AtomicLong();
  private final ConcurrentLinkedQueue<Row> rows = new ConcurrentLinkedQueue<>();

  Log(long actor, Watch watch) {
    this.actor = actor;
    first = toUnsignedLong(watch.getFrom());
    last =
        watch.getEvents() == ALL ? Long.MAX_VALUE : first + toUnsignedLong(watch.getEvents()) - 1;
  }

  /** Keeps the message's numbers if it is in the slice, and counts it. */
  public void take(Message message) {
    long number = taken.getPlain();
    if (number >= first && number <= last) {
      rows.add(new Row(actor, message.sender(), message.entry()));
    }
    taken.setRelease(number + 1);
  }

  long actor() {
    return actor;
  }

  /** How many messages the actor has taken, logged or not. */
  long taken() {
    return taken.getAcquire();
  }

  /** What was logged before this call, and not read before. */
  Iterable<Row> unread() {
    // As many as there are now: a log that grows as fast as it is read would never end.
    return Stream.generate(rows::poll).limit(rows.size())::iterator;
  }

  record Row(long actor, long sender, Entry entry) {}
}
