package dramaturg.control;

import dramaturg.v2.Benchmarks.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * One iteration of a benchmark, as control drives it from {@code prepare} to {@code teardown}.
 * Whoever waits here for an actor that fails throws.
 */
final class Iteration {
  private static final long BETWEEN_MARKS = Duration.ofMillis(100).toNanos();
  private static final long PATIENCE = Duration.ofSeconds(1).toNanos();

  private final Benchmark benchmark;
  private final World world;
  private final Lead lead;
  private final List<Report> reports = new ArrayList<>();
  private OptionalLong started = OptionalLong.empty();

  Iteration(Benchmark benchmark, World world) {
    this.benchmark = benchmark;
    this.world = world;
    lead = benchmark.populate(world);
  }

  /** Returns when what this caused has settled. */
  void say(Call call) throws InterruptedException {
    say(call, report -> {});
  }

  private void say(Call call, Consumer<Report> onReport) throws InterruptedException {
    for (int due = lead.tell(call); due > 0; due--) {
      var report = world.next();
      reports.add(report);
      onReport.accept(report);
    }
  }

  /** Marks from time to time, and in the end, how many turns or windows are done (CTRL-6). */
  void run(int salt, IntConsumer mark) throws InterruptedException {
    var marks = new Marks(Stopwatch.start(), mark);
    started = OptionalLong.of(marks.last);
    say(new Call.Run(salt), marks);
    marks.end();
  }

  Receipt teardown() throws InterruptedException {
    long asked = System.nanoTime();
    say(new Call.Disconnect());
    long alive = settle();
    long nanos = System.nanoTime() - asked;
    world.check();
    var receipt = Receipt.newBuilder().setTeardownNanos(nanos).setAlive(alive);
    benchmark.fill(receipt, started, reports);
    return receipt.build();
  }

  /** Waits until nobody is alive, or their number has not changed for a while (CTRL-17). */
  private long settle() throws InterruptedException {
    long alive = world.alive();
    long changed = System.nanoTime();
    while (alive > 0 && System.nanoTime() - changed < PATIENCE) {
      Thread.sleep(1);
      long now = world.alive();
      if (now != alive) {
        alive = now;
        changed = System.nanoTime();
      }
    }
    return alive;
  }

  private static final class Marks implements Consumer<Report> {
    private final IntConsumer mark;
    private long last;
    private int done;

    Marks(long started, IntConsumer mark) {
      last = started;
      this.mark = mark;
    }

    @Override
    public void accept(Report report) {
      if (report instanceof Report.Confirmed || report instanceof Report.Window) {
        done++;
        long now = System.nanoTime();
        if (now - last >= BETWEEN_MARKS) {
          last = now;
          mark.accept(done);
        }
      }
    }

    void end() {
      if (done > 0) {
        mark.accept(done);
      }
    }
  }
}
