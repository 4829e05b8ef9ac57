package dramaturg.benchmarks;

import static dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_LINK_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_LINK_FINISH_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_LINK_GROW_VALUE;
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
import dramaturg.v2.Benchmarks.ChainParameters;

/** Chain: each link makes the next; the last one's {@code finish} walks back (spec/chain.md). */
final class Chain extends MicroBenchmark {
  private final ChainParameters parameters;

  Chain(ChainParameters parameters) {
    super("chain");
    this.parameters = parameters;
  }

  @Override
  public Lead populate(World world) {
    var first = Link.spawn(0, null, world);
    return call -> {
      if (call instanceof Call.Run run) {
        first.tell(new Link.Grow(Names.CONTROL, parameters.getLength() - 1, run.salt()));
        return 1;
      }
      return 0;
    };
  }

  /** One link. The first is there at first and reports to control. */
  private static final class Link extends Actor<Link.Message> {
    sealed interface Message extends dramaturg.Message {}

    record Grow(long sender, int left, int digest) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_LINK_GROW_VALUE, left, toUnsignedLong(digest));
      }
    }

    record Finish(long sender, int length, int digest) implements Message {
      @Override
      public Entry entry() {
        return new Entry(MESSAGE_KIND_LINK_FINISH_VALUE, length, toUnsignedLong(digest));
      }
    }

    private final int index;

    /** Null for the first. */
    private final ActorRef<Message> maker;

    Link(int index, ActorRef<Message> maker, World world, ActorContext<Message> context) {
      super(Names.of(ACTOR_CLASS_LINK_VALUE, index), world, context);
      this.index = index;
      this.maker = maker;
    }

    static ActorRef<Message> spawn(int index, ActorRef<Message> maker, World world) {
      long name = Names.of(ACTOR_CLASS_LINK_VALUE, index);
      return world.spawn(name, context -> new Link(index, maker, world, context));
    }

    @Override
    protected void take(Message message) {
      if (message instanceof Grow m) {
        grow(m);
      } else if (message instanceof Finish m) {
        report(m.length + 1, Digest.fold(m.digest, m.length));
      }
    }

    private void grow(Grow m) {
      int digest = Digest.fold(m.digest, m.left);
      if (m.left > 0) {
        spawn(index + 1, self(), world).tell(new Grow(name, m.left - 1, digest));
      } else {
        report(1, digest);
      }
    }

    private void report(int length, int digest) {
      if (maker == null) {
        done(Stopwatch.stop(), length, toUnsignedLong(digest));
      } else {
        maker.tell(new Finish(name, length, digest));
      }
      stop();
    }
  }
}
