package dramaturg.benchmarks;

import dramaturg.control.Report;
import dramaturg.control.Stopwatch;
import dramaturg.control.World;
import java.util.function.IntConsumer;

/** The windows of a lead: none in the counted form (spec/windows.md). */
final class Windows {
  private final int number;
  private final World world;
  private final IntConsumer tickLater;
  private boolean open;
  private long before;

  /**
   * @param tickLater has the timer send the lead {@code tick} with this number, one window later
   */
  Windows(int number, World world, IntConsumer tickLater) {
    this.number = number;
    this.world = world;
    this.tickLater = tickLater;
    open = number > 0;
  }

  /** Upon {@code start}, before anything is sent (WIN-1). */
  void start() {
    if (number > 0) {
      tickLater.accept(0);
    }
  }

  /** Upon {@code tick}: tells control how far the total has come in this window (WIN-2). */
  void tick(int current, long total) {
    long ended = Stopwatch.stop();
    open = current + 1 < number;
    if (open) {
      tickLater.accept(current + 1);
    }
    world.tell(new Report.Window(current, total - before, ended));
    before = total;
  }

  /** Whether there is one that has not ended. */
  boolean open() {
    return open;
  }
}
