package dramaturg.benchmarks;

import dramaturg.control.Benchmark;
import dramaturg.control.Report;
import dramaturg.control.Stopwatch;
import dramaturg.v2.Benchmarks.DoneReceipt;
import dramaturg.v2.Benchmarks.Receipt;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A benchmark whose lead says in the end what all have done: every one but ChatApp. */
abstract class MicroBenchmark implements Benchmark {
  private final String name;

  /** The protocol calls it so. */
  MicroBenchmark(String name) {
    this.name = name;
  }

  @Override
  public final void fill(Receipt.Builder receipt, OptionalLong started, List<Report> reports) {
    if (started.isEmpty()) {
      return;
    }
    var own = receipt.getDoneBuilder().setBenchmark(name);
    var windows = new ArrayList<Report.Window>();
    for (var report : reports) {
      if (report instanceof Report.Window window) {
        windows.add(window);
        own.addWindows(window.count());
      } else if (report instanceof Report.Shortest shortest) {
        own.setShortestNanos(shortest.nanos());
      } else if (report instanceof Report.Done done) {
        receipt.setRunNanos(done.ended() - started.getAsLong());
        repeat(done, own);
      }
    }
    own.addAllWindowNanos(
        Stopwatch.laps(started.getAsLong(), windows.stream().map(Report.Window::ended).toList()));
  }

  private static void repeat(Report.Done done, DoneReceipt.Builder own) {
    for (long argument : done.arguments()) {
      own.addArguments(argument);
    }
  }
}
