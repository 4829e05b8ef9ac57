package dramaturg.control;

import java.util.ArrayList;
import java.util.List;

/** All that is timed inside a run (MEAS-1 to MEAS-3), in nanoseconds of the monotonic clock. */
public final class Stopwatch {
  private Stopwatch() {}

  /**
   * Just before control hands its first message to the lead. In ChatApp the poker reads it before
   * it spawns a turn's accumulator, and that of the first turn is the run's.
   */
  public static long start() {
    return System.nanoTime();
  }

  /** On taking a message that ends something: a {@code confirm}, a {@code tick}, the last one. */
  public static long stop() {
    return System.nanoTime();
  }

  /** In the middle of a run: when the alarm begins a nap, and when it takes its end (SLEEP-5). */
  public static long read() {
    return System.nanoTime();
  }

  /** How long each took that ended then, of things that follow each other. */
  public static List<Long> laps(long started, List<Long> ended) {
    var laps = new ArrayList<Long>(ended.size());
    long before = started;
    for (long end : ended) {
      laps.add(end - before);
      before = end;
    }
    return laps;
  }
}
