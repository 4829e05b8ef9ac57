package dramaturg.benchmarks;

import dramaturg.control.Benchmark;
import dramaturg.v2.Benchmarks.Benchmark.ParametersCase;

/** The benchmarks that {@code dramaturg.toml} names, and count, which fails: a line each. */
public final class Benchmarks {
  private Benchmarks() {}

  public static Benchmark of(dramaturg.v2.Benchmarks.Benchmark parameters) {
    return switch (parameters.getParametersCase()) {
      case PINGPONG -> new PingPong(parameters.getPingpong());
      case WEB -> new Web(parameters.getWeb());
      case COUNT -> new Count(parameters.getCount());
      case CHAIN -> new Chain(parameters.getChain());
      case SLEEPERS -> new Sleepers(parameters.getSleepers());
      case MERGESORT -> new Mergesort(parameters.getMergesort());
      default -> throw unknown(parameters.getParametersCase());
    };
  }

  private static IllegalArgumentException unknown(ParametersCase benchmark) {
    return new IllegalArgumentException(
        benchmark + " has no line in Benchmarks.java, but one in dramaturg.toml");
  }
}
