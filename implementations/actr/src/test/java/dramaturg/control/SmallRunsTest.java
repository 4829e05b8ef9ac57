package dramaturg.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dramaturg.benchmarks.Benchmarks;
import dramaturg.runtime.ActorGroup;
import dramaturg.runtime.ActorSystem;
import dramaturg.v2.Benchmarks.Benchmark;
import dramaturg.v2.Benchmarks.ChainParameters;
import dramaturg.v2.Benchmarks.MergesortParameters;
import dramaturg.v2.Benchmarks.PingPongParameters;
import dramaturg.v2.Benchmarks.Receipt;
import dramaturg.v2.Benchmarks.SleepersParameters;
import dramaturg.v2.Benchmarks.WebParameters;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/** The small runs of the chapters, often: what order can change would not always be the same. */
@Timeout(60)
class SmallRunsTest {
  private static final int TIMES = 100;
  private static final ActorSystem SYSTEM = new ActorSystem(4);

  private static Receipt run(Benchmark.Builder benchmark) throws InterruptedException {
    var world = new World(new ActorGroup(SYSTEM), new Watches(List.of()));
    var iteration = new Iteration(Benchmarks.of(benchmark.build()), world);
    iteration.run(42, done -> assertEquals("no marks", done));
    var receipt = iteration.teardown();
    assertEquals(0, receipt.getAlive());
    return receipt;
  }

  @RepeatedTest(TIMES)
  void pingPong() throws InterruptedException {
    var parameters = PingPongParameters.newBuilder().setRounds(2);
    var receipt = run(Benchmark.newBuilder().setPingpong(parameters));
    assertEquals(List.of(2L, 3415947900L), receipt.getDone().getArgumentsList());
  }

  @RepeatedTest(TIMES)
  void pingPongWithAllBits() throws InterruptedException {
    var parameters = PingPongParameters.newBuilder().setRounds(2).setShift(32);
    var receipt = run(Benchmark.newBuilder().setPingpong(parameters));
    assertEquals(List.of(2L, 3415947900L), receipt.getDone().getArgumentsList());
  }

  @RepeatedTest(TIMES)
  void web() throws InterruptedException {
    var parameters = WebParameters.newBuilder().setBrowsers(1).setWorkers(2).setRequests(2);
    var receipt = run(Benchmark.newBuilder().setWeb(parameters.setFibN(6)));
    assertEquals(List.of(2L, 1972876010L, 2L), receipt.getDone().getArgumentsList());
  }

  @RepeatedTest(TIMES)
  void chain() throws InterruptedException {
    var parameters = ChainParameters.newBuilder().setLength(3);
    var receipt = run(Benchmark.newBuilder().setChain(parameters));
    assertEquals(List.of(3L, 575270900L), receipt.getDone().getArgumentsList());
  }

  @RepeatedTest(TIMES)
  void sleepers() throws InterruptedException {
    var parameters = SleepersParameters.newBuilder().setSleepers(1).setNaps(2).setDelay(5);
    var receipt = run(Benchmark.newBuilder().setSleepers(parameters));
    assertEquals(List.of(2L, 1972876022L), receipt.getDone().getArgumentsList());
    long shortest = receipt.getDone().getShortestNanos();
    assertTrue(shortest >= 5_000_000 && shortest <= receipt.getRunNanos() / 2);
  }

  @RepeatedTest(TIMES)
  void mergesort() throws InterruptedException {
    var parameters = MergesortParameters.newBuilder().setLength(3).setLeaf(1).setSeed(42);
    var receipt = run(Benchmark.newBuilder().setMergesort(parameters));
    assertEquals(List.of(3L, 5L, 16318805L), receipt.getDone().getArgumentsList());
  }
}
