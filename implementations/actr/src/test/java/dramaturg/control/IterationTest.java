package dramaturg.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dramaturg.Actor;
import dramaturg.Message;
import dramaturg.Names;
import dramaturg.benchmarks.Benchmarks;
import dramaturg.runtime.ActorContext;
import dramaturg.runtime.ActorGroup;
import dramaturg.runtime.ActorSystem;
import dramaturg.v2.Benchmarks.Benchmark.Builder;
import dramaturg.v2.Benchmarks.PingPongParameters;
import dramaturg.v2.Benchmarks.Receipt;
import dramaturg.v2.Trace.ActorClass;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IterationTest {
  private static final ActorSystem SYSTEM = new ActorSystem(2);

  private static World world() {
    return new World(new ActorGroup(SYSTEM), new Watches(List.of()));
  }

  private static Iteration pingPong(PingPongParameters.Builder parameters) {
    Builder benchmark = dramaturg.v2.Benchmarks.Benchmark.newBuilder().setPingpong(parameters);
    return new Iteration(Benchmarks.of(benchmark.build()), world());
  }

  /** The small run of spec/pingpong.md. */
  @Test
  void iterationsFollowEachOtherAlikeAndLeaveNothing() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      var iteration = pingPong(PingPongParameters.newBuilder().setRounds(2));
      iteration.run(42, done -> assertEquals("no marks", done));
      var receipt = iteration.teardown();
      assertEquals(0, receipt.getAlive());
      assertTrue(receipt.getRunNanos() > 0);
      assertEquals(List.of(2L, 3415947900L), receipt.getDone().getArgumentsList());
    }
  }

  @Test
  void theLastMarkHasTheNumberOfAllWindows() throws InterruptedException {
    var marks = new ArrayList<Integer>();
    var iteration = pingPong(PingPongParameters.newBuilder().setWindows(3).setWindow(20));
    iteration.run(1, marks::add);
    assertEquals(3, marks.get(marks.size() - 1));
    var done = iteration.teardown().getDone();
    long inWindows = done.getWindowsList().stream().mapToLong(Long::longValue).sum();
    assertEquals(done.getArguments(0), inWindows + 2);
    assertTrue(done.getWindowNanosList().stream().allMatch(nanos -> nanos >= 20_000_000));
  }

  @Test
  void whoDoesNotEndIsCounted() throws InterruptedException {
    var world = world();
    world.spawn(Faulty.NAME, context -> new Faulty(world, context));
    assertEquals(1, new Iteration(new Nothing(call -> 0), world).teardown().getAlive());
  }

  @Test
  void anActorThatFailsIsNamed() {
    var world = world();
    var faulty = world.spawn(Faulty.NAME, context -> new Faulty(world, context));
    var iteration =
        new Iteration(
            new Nothing(
                call -> {
                  faulty.tell(new Anything());
                  return 1;
                }),
            world);
    var failure = assertThrows(ActorFailure.class, () -> iteration.say(new Call.Turn()));
    assertEquals(
        "peer/7 failed: java.lang.IllegalStateException: on purpose", failure.getMessage());
  }

  @Test
  void anActorThatFailsWhenControlWaitsForNoReportIsNamedInTeardown() {
    var world = world();
    var faulty = world.spawn(Faulty.NAME, context -> new Faulty(world, context));
    var iteration =
        new Iteration(
            new Nothing(
                call -> {
                  faulty.tell(new Anything());
                  return 0;
                }),
            world);
    assertThrows(ActorFailure.class, iteration::teardown);
  }

  @Test
  void anActorThatCannotBeMadeIsNamed() {
    var world = world();
    var failure =
        assertThrows(
            ActorFailure.class,
            () ->
                world.<Anything>spawn(
                    Faulty.NAME,
                    context -> {
                      throw new IllegalStateException("on purpose");
                    }));
    assertEquals(
        "peer/7 failed: java.lang.IllegalStateException: on purpose", failure.getMessage());
    assertThrows(ActorFailure.class, world::check);
    assertEquals(0, world.alive());
  }

  private record Anything() implements Message {
    @Override
    public long sender() {
      return Names.CONTROL;
    }

    @Override
    public Entry entry() {
      return new Entry(0);
    }
  }

  private static final class Faulty extends Actor<Message> {
    static final long NAME = Names.of(ActorClass.ACTOR_CLASS_PEER_VALUE, 7);

    Faulty(World world, ActorContext<Message> context) {
      super(NAME, world, context);
    }

    @Override
    protected void take(Message message) {
      throw new IllegalStateException("on purpose");
    }
  }

  private record Nothing(Lead lead) implements Benchmark {
    @Override
    public Lead populate(World world) {
      return lead;
    }

    @Override
    public void fill(Receipt.Builder receipt, OptionalLong started, List<Report> reports) {}
  }
}
