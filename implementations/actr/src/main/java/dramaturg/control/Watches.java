package dramaturg.control;

import static java.lang.Integer.toUnsignedLong;

import dramaturg.Names;
import dramaturg.v2.ControlOuterClass.TraceResponse;
import dramaturg.v2.ControlOuterClass.Watch;
import dramaturg.v2.Trace.TraceBatch;
import dramaturg.v2.Trace.TraceCounts;
import dramaturg.v2.Trace.TraceFooter;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The watches of one world, and the logs of those who were born into it and are watched. */
public final class Watches {
  private static final int CLASSES = 128;

  /** Half of what is allowed: then even rows of eight ten-byte arguments stay below 4 MiB. */
  private static final int ROWS_AT_ONCE = 32_768;

  private final List<List<Watch>> ofClass;
  private final ConcurrentLinkedQueue<Log> logs = new ConcurrentLinkedQueue<>();

  public Watches(List<Watch> watches) {
    ofClass =
        IntStream.range(0, CLASSES)
            .mapToObj(
                number ->
                    watches.stream()
                        .filter(watch -> watch.getClass_() == 0 || watch.getClass_() == number)
                        .toList())
            .toList();
  }

  /** The log of an actor that is being born; null if nobody watches it (TRACE-1). */
  public Log logOf(long name) {
    for (var watch : ofClass.get(Names.classOf(name))) {
      if (fits(watch, toUnsignedLong(Names.indexOf(name)))) {
        var log = new Log(name, watch);
        logs.add(log);
        return log;
      }
    }
    return null;
  }

  private static boolean fits(Watch watch, long index) {
    return index >= toUnsignedLong(watch.getFirst())
        && index <= toUnsignedLong(watch.getLast())
        && index % toUnsignedLong(watch.getModulus()) == toUnsignedLong(watch.getRemainder());
  }

  /** Sends batches of what was logged and not yet read, then the counts, then the footer. */
  void trace(Consumer<TraceResponse> stream) {
    var footer = TraceFooter.newBuilder();
    footer.setEvents(sendRows(stream));
    footer.setWatched(sendCounts(stream));
    stream.accept(TraceResponse.newBuilder().setFooter(footer).build());
  }

  private long sendRows(Consumer<TraceResponse> stream) {
    long events = 0;
    var batch = TraceBatch.newBuilder();
    for (var log : logs) {
      for (var row : log.unread()) {
        batch.addActor(row.actor()).addSender(row.sender()).addKind(row.entry().kind());
        for (long argument : row.entry().arguments()) {
          batch.addArgs(argument);
        }
        events++;
        if (batch.getActorCount() == ROWS_AT_ONCE) {
          stream.accept(TraceResponse.newBuilder().setBatch(batch).build());
          batch.clear();
        }
      }
    }
    if (batch.getActorCount() > 0) {
      stream.accept(TraceResponse.newBuilder().setBatch(batch).build());
    }
    return events;
  }

  private long sendCounts(Consumer<TraceResponse> stream) {
    long watched = 0;
    var counts = TraceCounts.newBuilder();
    for (var log : logs) {
      counts.addActor(log.actor()).addTaken(log.taken());
      watched++;
      if (counts.getActorCount() == ROWS_AT_ONCE) {
        stream.accept(TraceResponse.newBuilder().setCounts(counts).build());
        counts.clear();
      }
    }
    if (counts.getActorCount() > 0) {
      stream.accept(TraceResponse.newBuilder().setCounts(counts).build());
    }
    return watched;
  }
}
