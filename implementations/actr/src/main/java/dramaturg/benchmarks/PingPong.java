package dramaturg.benchmarks;

import static dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_PING_VALUE;
import static dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_PONG_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_PING_PONG_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_PING_START_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_PING_TICK_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_PONG_PING_VALUE;
import static java.lang.Integer.toUnsignedLong;

import dramaturg.Actor;
import dramaturg.Digest;
import dramaturg.Message;
import dramaturg.Names;
import dramaturg.control.Call;
import dramaturg.control.Lead;
import dramaturg.control.Stopwatch;
import dramaturg.control.World;
import dramaturg.runtime.ActorContext;
import dramaturg.runtime.ActorRef;
import dramaturg.v2.Benchmarks.PingPongParameters;

/** Ping-pong: two actors, two messages a round (spec/pingpong.md). */
final class PingPong extends MicroBenchmark {
  private final PingPongParameters parameters;

  PingPong(PingPongParameters parameters) {
    super("pingpong");
    this.parameters = parameters;
  }

  @Override
  public Lead populate(World world) {
    int shift = parameters.getShift();
    var pong = world.<Pong.Message>spawn(Pong.NAME, context -> new Pong(shift, world, context));
    var ping =
        world.<Ping.Message>spawn(Ping.NAME, context -> new Ping(parameters, pong, world, context));
    return call -> {
      if (call instanceof Call.Run run) {
        ping.tell(
            new Ping.Start(Names.CONTROL, toUnsignedLong(parameters.getRounds()), run.salt()));
        return parameters.getWindows() + 1;
      }
      return 0;
    };
  }

  /** How a value travels: in 64 bits without a sign (PING-7). */
  private static long shifted(int value, int shift) {
    return toUnsignedLong(value) << shift | toUnsignedLong(value) & ((1L << shift) - 1);
  }

  /** The value that came so. */
  private static int back(long value, int shift) {
    return (int) (value >>> shift);
  }

  /** Sends {@code ping}, takes {@code pong}, until none are left. */
  private static final class Ping extends Actor<Ping.Message> {
    sealed interface Message extends dramaturg.Message {}

    record Start(long sender, long rounds, int salt) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_PING_START_VALUE, rounds, toUnsignedLong(salt));
      }
    }

    record Pong(long sender, long left, long value) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_PING_PONG_VALUE, left, value);
      }
    }

    record Tick(long sender, int number) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_PING_TICK_VALUE, number);
      }
    }

    static final long NAME = Names.of(ACTOR_CLASS_PING_VALUE);

    private final ActorRef<PingPong.Pong.Message> pong;
    private final int shift;
    private final Windows windows;
    private int salt;
    private long pongs;
    private int sum;

    Ping(
        PingPongParameters parameters,
        ActorRef<PingPong.Pong.Message> pong,
        World world,
        ActorContext<Message> context) {
      super(NAME, world, context);
      this.pong = pong;
      shift = parameters.getShift();
      windows =
          new Windows(
              parameters.getWindows(),
              world,
              number -> later(parameters.getWindow(), new Tick(name, number)));
    }

    @Override
    protected void take(Message message) {
      if (message instanceof Pong m) {
        pong(m);
      } else if (message instanceof Start m) {
        start(m);
      } else if (message instanceof Tick m) {
        windows.tick(m.number, pongs);
      }
    }

    private void start(Start m) {
      salt = m.salt;
      windows.start();
      ping(m.rounds - 1);
    }

    private void pong(Pong m) {
      pongs++;
      sum += back(m.value, shift);
      if (m.left > 0) {
        ping(m.left - 1);
      } else {
        done(Stopwatch.stop(), pongs, toUnsignedLong(sum));
        stop();
      }
    }

    private void ping(long left) {
      long stillLeft = windows.open() ? 1 : left;
      long value = shifted(Digest.fold(salt, pongs), shift);
      pong.tell(new PingPong.Pong.Ping(name, self(), stillLeft, value));
    }
  }

  /** Answers each {@code ping}. */
  private static final class Pong extends Actor<Pong.Message> {
    sealed interface Message extends dramaturg.Message {}

    record Ping(long sender, ActorRef<PingPong.Ping.Message> from, long left, long value)
        implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_PONG_PING_VALUE, left, value);
      }
    }

    static final long NAME = Names.of(ACTOR_CLASS_PONG_VALUE);

    private final int shift;
    private long pings;

    Pong(int shift, World world, ActorContext<Message> context) {
      super(NAME, world, context);
      this.shift = shift;
    }

    @Override
    protected void take(Message message) {
      if (message instanceof Ping m) {
        ping(m);
      }
    }

    private void ping(Ping m) {
      int answer = Digest.fold(back(m.value, shift), pings);
      m.from.tell(new PingPong.Ping.Pong(name, m.left, shifted(answer, shift)));
      pings++;
      if (m.left == 0) {
        stop();
      }
    }
  }
}
