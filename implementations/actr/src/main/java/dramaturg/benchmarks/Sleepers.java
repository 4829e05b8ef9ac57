package dramaturg.benchmarks;

import static dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_ALARM_VALUE;
import static dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_SLEEPER_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_ALARM_AWAKE_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_ALARM_START_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_SLEEPER_SLEEP_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_SLEEPER_WAKE_VALUE;
import static java.lang.Integer.toUnsignedLong;

import dramaturg.Actor;
import dramaturg.Digest;
import dramaturg.Names;
import dramaturg.control.Call;
import dramaturg.control.Lead;
import dramaturg.control.Report;
import dramaturg.control.Stopwatch;
import dramaturg.control.World;
import dramaturg.runtime.ActorContext;
import dramaturg.runtime.ActorRef;
import dramaturg.v2.Benchmarks.SleepersParameters;
import java.util.ArrayList;
import java.util.List;

/** Sleepers: as fanout, but every answer waits for a timer (spec/sleepers.md). */
final class Sleepers extends MicroBenchmark {
  private final SleepersParameters parameters;

  Sleepers(SleepersParameters parameters) {
    super("sleepers");
    this.parameters = parameters;
  }

  @Override
  public Lead populate(World world) {
    var alarm = new Actors(parameters, world).alarm;
    return call -> {
      if (call instanceof Call.Run run) {
        alarm.tell(new Alarm.Start(Names.CONTROL, run.salt()));
        return 2;
      }
      return 0;
    };
  }

  /** Who is there, for all of them: filled in before the first message. */
  private static final class Actors {
    final SleepersParameters parameters;
    final ActorRef<Alarm.Message> alarm;
    final List<ActorRef<Sleeper.Message>> sleepers = new ArrayList<>();

    Actors(SleepersParameters parameters, World world) {
      this.parameters = parameters;
      alarm = world.spawn(Alarm.NAME, context -> new Alarm(this, world, context));
      for (int i = 0; i < parameters.getSleepers(); i++) {
        int index = i;
        sleepers.add(
            world.spawn(Sleeper.name(index), context -> new Sleeper(index, this, world, context)));
      }
    }
  }

  /** Sends everybody to sleep, again and again. */
  private static final class Alarm extends Actor<Alarm.Message> {
    sealed interface Message extends dramaturg.Message {}

    record Start(long sender, int salt) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_ALARM_START_VALUE, toUnsignedLong(salt));
      }
    }

    record Awake(long sender, long number, int value) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_ALARM_AWAKE_VALUE, number, toUnsignedLong(value));
      }
    }

    static final long NAME = Names.of(ACTOR_CLASS_ALARM_VALUE);

    private final Actors actors;
    private final World world;
    private final long napsOfEach;
    private int salt;
    private long naps;
    private int sum;
    private final long[] asleep;
    private long shortest = Long.MAX_VALUE;

    Alarm(Actors actors, World world, ActorContext<Message> context) {
      super(NAME, world, context);
      this.actors = actors;
      this.world = world;
      napsOfEach = toUnsignedLong(actors.parameters.getNaps());
      asleep = new long[actors.parameters.getSleepers()];
    }

    @Override
    protected void take(Message message) {
      if (message instanceof Awake m) {
        awake(m);
      } else if (message instanceof Start m) {
        start(m);
      }
    }

    private void start(Start m) {
      salt = m.salt;
      for (int index = 0; index < actors.sleepers.size(); index++) {
        send(index, 0);
      }
    }

    private void awake(Awake m) {
      int index = Names.indexOf(m.sender);
      shortest = Math.min(shortest, Stopwatch.read() - asleep[index]);
      naps++;
      sum += m.value;
      if (m.number + 1 < napsOfEach) {
        send(index, m.number + 1);
      }
      if (naps == actors.sleepers.size() * napsOfEach) {
        long ended = Stopwatch.stop();
        world.tell(new Report.Shortest(shortest));
        done(ended, naps, toUnsignedLong(sum));
        stop();
      }
    }

    private void send(int index, long number) {
      int value = Digest.fold(Digest.fold(salt, index), number);
      asleep[index] = Stopwatch.read();
      actors.sleepers.get(index).tell(new Sleeper.Sleep(name, number, value));
    }
  }

  /** Sleeps when told to, on actr's timer. */
  private static final class Sleeper extends Actor<Sleeper.Message> {
    sealed interface Message extends dramaturg.Message {}

    record Sleep(long sender, long number, int value) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_SLEEPER_SLEEP_VALUE, number, toUnsignedLong(value));
      }
    }

    record Wake(long sender, long number) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_SLEEPER_WAKE_VALUE, number);
      }
    }

    private final Actors actors;
    private int value;

    Sleeper(int index, Actors actors, World world, ActorContext<Message> context) {
      super(name(index), world, context);
      this.actors = actors;
    }

    static long name(int index) {
      return Names.of(ACTOR_CLASS_SLEEPER_VALUE, index);
    }

    @Override
    protected void take(Message message) {
      if (message instanceof Sleep m) {
        sleep(m);
      } else if (message instanceof Wake m) {
        wake(m);
      }
    }

    private void sleep(Sleep m) {
      value = m.value;
      later(actors.parameters.getDelay(), new Wake(name, m.number));
    }

    private void wake(Wake m) {
      int slept = Digest.fold(value, actors.parameters.getDelay());
      actors.alarm.tell(new Alarm.Awake(name, m.number, slept));
      if (m.number + 1 == toUnsignedLong(actors.parameters.getNaps())) {
        stop();
      }
    }
  }
}
