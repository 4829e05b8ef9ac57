package dramaturg.benchmarks;

import dramaturg.control.Benchmark;
import dramaturg.control.Report;
import dramaturg.control.Stopwatch;
import dramaturg.v2.Benchmarks.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A benchmark whose lead says in the end what all have done: every one but ChatApp. */
abstract class MicroBenchmark implements Benchmark {

  /** What was counted in a window, and how long it was in nanoseconds (WIN-3). */
  record Lap(long count, long nanos) {}

  /** Puts the lead's counts into the benchmark's own part of the receipt. */
  protected abstract void fill(Receipt.Builder receipt, long[] counts, List<Lap> windows);

  @Override
  public final void fill(Receipt.Builder receipt, OptionalLong started, List<Report> reports) {
    if (started.isEmpty()) {
      return;
    }
    var windows = new ArrayList<Report.Window>();
    for (var report : reports) {
      if (report instanceof Report.Window window) {
        windows.add(window);
      } else if (report instanceof Report.Done done) {
        receipt.setRunNanos(done.ended() - started.getAsLong());
        fill(receipt, done.counts(), laps(started.getAsLong(), windows));
      }
    }
  }

  private static List<Lap> laps(long started, List<Report.Window> windows) {
    var nanos = Stopwatch.laps(started, windows.stream().map(Report.Window::ended).toList());
    var laps = new ArrayList<Lap>();
    for (int i = 0; i < windows.size(); i++) {
      laps.add(new Lap(windows.get(i).count(), nanos.get(i)));
    }
    return laps;
  }
}
