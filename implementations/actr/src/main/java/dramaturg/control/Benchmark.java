package dramaturg.control;

import dramaturg.v2.Benchmarks.Receipt;
import java.util.List;
import java.util.OptionalLong;

/** A benchmark with its parameters, for one world. */
public interface Benchmark {

  /** Spawns those who are there at first, in the order of the model, and says who leads. */
  Lead populate(World world);

  /**
   * Puts into the receipt what was reported: the benchmark's own part, and {@code run_nanos}.
   *
   * @param started the run's first stamp by control's clock; empty if there was no run
   */
  void fill(Receipt.Builder receipt, OptionalLong started, List<Report> reports);
}
