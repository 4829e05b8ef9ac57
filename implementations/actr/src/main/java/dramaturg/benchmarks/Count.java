package dramaturg.benchmarks;

import static dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_ADDER_VALUE;
import static dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_COUNTER_VALUE;
import static dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_TALLY_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_ADDER_GO_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_ADDER_TOTAL_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_COUNTER_ADD_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_COUNTER_GET_AND_RESET_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_TALLY_COUNTED_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_TALLY_START_VALUE;
import static java.lang.Integer.toUnsignedLong;

import dramaturg.Actor;
import dramaturg.Digest;
import dramaturg.Names;
import dramaturg.control.Call;
import dramaturg.control.Lead;
import dramaturg.control.Stopwatch;
import dramaturg.control.World;
import dramaturg.runtime.ActorContext;
import dramaturg.runtime.ActorRef;
import dramaturg.v2.Benchmarks.CountParameters;
import java.util.ArrayList;
import java.util.List;

/**
 * Count: adders add to one counter, then ask for the sum and reset it (spec/count.md).
 *
 * <p>Not in the manifest. It rests on the order between an adder and the counter, which actr loses,
 * and is here to show it.
 */
final class Count extends MicroBenchmark {
  private final CountParameters parameters;

  Count(CountParameters parameters) {
    super("count");
    this.parameters = parameters;
  }

  @Override
  public Lead populate(World world) {
    var tally = new Actors(parameters, world).tally;
    return call -> {
      if (call instanceof Call.Run run) {
        tally.tell(new Tally.Start(Names.CONTROL, run.salt()));
        return 1;
      }
      return 0;
    };
  }

  /** Who is there, for all of them: filled in before the first message. */
  private static final class Actors {
    final CountParameters parameters;
    final ActorRef<Tally.Message> tally;
    final List<ActorRef<Adder.Message>> adders = new ArrayList<>();
    final ActorRef<Counter.Message> counter;

    Actors(CountParameters parameters, World world) {
      this.parameters = parameters;
      tally = world.spawn(Tally.NAME, context -> new Tally(this, world, context));
      for (int i = 0; i < parameters.getAdders(); i++) {
        long name = Names.of(ACTOR_CLASS_ADDER_VALUE, i);
        adders.add(world.spawn(name, context -> new Adder(name, this, world, context)));
      }
      counter = world.spawn(Counter.NAME, context -> new Counter(this, world, context));
    }
  }

  /** Starts the adders and sums their totals. */
  private static final class Tally extends Actor<Tally.Message> {
    sealed interface Message extends dramaturg.Message {}

    record Start(long sender, int salt) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_TALLY_START_VALUE, toUnsignedLong(salt));
      }
    }

    record Counted(long sender, long adds, int sum) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_TALLY_COUNTED_VALUE, adds, toUnsignedLong(sum));
      }
    }

    static final long NAME = Names.of(ACTOR_CLASS_TALLY_VALUE);

    private final Actors actors;
    private int adding;
    private long adds;
    private int sum;

    Tally(Actors actors, World world, ActorContext<Message> context) {
      super(NAME, world, context);
      this.actors = actors;
      adding = actors.parameters.getAdders();
    }

    @Override
    protected void take(Message message) {
      if (message instanceof Start m) {
        start(m);
      } else if (message instanceof Counted m) {
        counted(m);
      }
    }

    private void start(Start m) {
      var go = new Adder.Go(name, m.salt);
      for (var adder : actors.adders) {
        adder.tell(go);
      }
    }

    private void counted(Counted m) {
      adds += m.adds;
      sum += m.sum;
      adding--;
      if (adding == 0) {
        done(Stopwatch.stop(), adds, toUnsignedLong(sum));
        stop();
      }
    }
  }

  /** Adds, then asks. */
  private static final class Adder extends Actor<Adder.Message> {
    sealed interface Message extends dramaturg.Message {}

    record Go(long sender, int salt) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_ADDER_GO_VALUE, toUnsignedLong(salt));
      }
    }

    record Total(long sender, long adds, int sum) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_ADDER_TOTAL_VALUE, adds, toUnsignedLong(sum));
      }
    }

    private final Actors actors;

    Adder(long name, Actors actors, World world, ActorContext<Message> context) {
      super(name, world, context);
      this.actors = actors;
    }

    @Override
    protected void take(Message message) {
      if (message instanceof Go m) {
        go(m);
      } else if (message instanceof Total m) {
        total(m);
      }
    }

    private void go(Go m) {
      int own = Digest.fold(m.salt, Names.indexOf(name));
      long adds = toUnsignedLong(actors.parameters.getAdds());
      for (long n = 0; n < adds; n++) {
        actors.counter.tell(new Counter.Add(name, Digest.fold(own, n)));
      }
      actors.counter.tell(new Counter.GetAndReset(name));
    }

    private void total(Total m) {
      actors.tally.tell(new Tally.Counted(name, m.adds, m.sum));
      stop();
    }
  }

  /** Holds the sum; ends when every adder has asked. */
  private static final class Counter extends Actor<Counter.Message> {
    sealed interface Message extends dramaturg.Message {}

    record Add(long sender, int value) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_COUNTER_ADD_VALUE, toUnsignedLong(value));
      }
    }

    record GetAndReset(long sender) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_COUNTER_GET_AND_RESET_VALUE);
      }
    }

    static final long NAME = Names.of(ACTOR_CLASS_COUNTER_VALUE);

    private final Actors actors;
    private int asking;
    private long adds;
    private int sum;

    Counter(Actors actors, World world, ActorContext<Message> context) {
      super(NAME, world, context);
      this.actors = actors;
      asking = actors.parameters.getAdders();
    }

    @Override
    protected void take(Message message) {
      if (message instanceof Add m) {
        adds++;
        sum += m.value;
      } else if (message instanceof GetAndReset m) {
        getAndReset(m);
      }
    }

    private void getAndReset(GetAndReset m) {
      actors.adders.get(Names.indexOf(m.sender)).tell(new Adder.Total(name, adds, sum));
      adds = 0;
      sum = 0;
      asking--;
      if (asking == 0) {
        stop();
      }
    }
  }
}
