package dramaturg.benchmarks;

import static dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_SORTER_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_SORTER_SORTED_VALUE;
import static dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_SORTER_SORT_VALUE;
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
import dramaturg.v2.Benchmarks.MergesortParameters;
import java.util.Arrays;

/**
 * Mergesort: a tree of actors that split a list and merge it back (spec/mergesort.md).
 *
 * <p>A list is an array that travels in one message and is nobody's after that: a half is copied
 * before it is sent, a merged list is new. The root makes its own, since it depends on the salt.
 */
final class Mergesort extends MicroBenchmark {
  private final MergesortParameters parameters;

  Mergesort(MergesortParameters parameters) {
    super("mergesort");
    this.parameters = parameters;
  }

  @Override
  public Lead populate(World world) {
    var root = Sorter.spawn(1, null, parameters, world);
    return call -> {
      if (call instanceof Call.Run run) {
        int length = parameters.getLength();
        root.tell(new Sorter.Sort(Names.CONTROL, 0, length, new int[0], run.salt()));
        return 1;
      }
      return 0;
    };
  }

  /** Splits in two halves, the first the longer if they differ, or sorts. */
  private static final class Sorter extends Actor<Sorter.Message> {
    sealed interface Message extends dramaturg.Message {}

    /** There are so many {@code items}, but for the root: control sends it none. */
    record Sort(long sender, int first, int length, int[] items, int salt) implements Message {
      @Override
      public Entry entry() {
        return new Entry(
            MESSAGE_KIND_SORTER_SORT_VALUE,
            first,
            length,
            toUnsignedLong(salt),
            toUnsignedLong(Digest.checksum(salt, items)));
      }
    }

    record Sorted(long sender, int[] items, int sorters, int salt) implements Message {
      @Override
      public Entry entry() {
        return new Entry(
            MESSAGE_KIND_SORTER_SORTED_VALUE,
            items.length,
            sorters,
            toUnsignedLong(Digest.checksum(salt, items)));
      }
    }

    private final int place;

    /** Null for the root. */
    private final ActorRef<Message> maker;

    private final MergesortParameters parameters;
    private int salt;
    private Sorted half;

    Sorter(
        int place,
        ActorRef<Message> maker,
        MergesortParameters parameters,
        World world,
        ActorContext<Message> context) {
      super(Names.of(ACTOR_CLASS_SORTER_VALUE, place), world, context);
      this.place = place;
      this.maker = maker;
      this.parameters = parameters;
    }

    static ActorRef<Message> spawn(
        int place, ActorRef<Message> maker, MergesortParameters parameters, World world) {
      long name = Names.of(ACTOR_CLASS_SORTER_VALUE, place);
      return world.spawn(name, context -> new Sorter(place, maker, parameters, world, context));
    }

    @Override
    protected void take(Message message) {
      if (message instanceof Sort m) {
        sort(m);
      } else if (message instanceof Sorted m) {
        sorted(m);
      }
    }

    private void sort(Sort m) {
      int length = m.length;
      salt = m.salt;
      var items = maker == null ? integers() : m.items;
      if (length <= parameters.getLeaf()) {
        if (length > 1) {
          items = items.clone();
          Arrays.sort(items);
        }
        report(items, 1);
      } else {
        int middle = (length + 1) / 2;
        split(2 * place, m.first, Arrays.copyOfRange(items, 0, middle));
        split(2 * place + 1, m.first + middle, Arrays.copyOfRange(items, middle, length));
      }
    }

    /** The input, each integer of which depends on the salt and on those before it (SORT-1). */
    private int[] integers() {
      var integers = Digest.stream(Digest.fold(salt, parameters.getSeed()), parameters.getLength());
      for (int i = 0; i < integers.length; i++) {
        integers[i] >>>= 16;
      }
      return integers;
    }

    private void split(int place, int first, int[] items) {
      var sorter = spawn(place, self(), parameters, world);
      sorter.tell(new Sort(name, first, items.length, items, salt));
    }

    private void sorted(Sorted m) {
      if (half == null) {
        half = m;
      } else {
        report(merge(half.items, m.items), 1 + half.sorters + m.sorters);
      }
    }

    private void report(int[] items, int sorters) {
      if (maker == null) {
        long merged = Stopwatch.stop();
        done(merged, items.length, sorters, toUnsignedLong(Digest.checksum(salt, items)));
      } else {
        maker.tell(new Sorted(name, items, sorters, salt));
      }
      stop();
    }

    private static int[] merge(int[] a, int[] b) {
      var merged = new int[a.length + b.length];
      int i = 0;
      int j = 0;
      while (i < a.length && j < b.length) {
        if (a[i] <= b[j]) {
          merged[i + j] = a[i];
          i++;
        } else {
          merged[i + j] = b[j];
          j++;
        }
      }
      // Of one of them nothing is left.
      int k = i + j;
      System.arraycopy(a, i, merged, k, a.length - i);
      System.arraycopy(b, j, merged, k, b.length - j);
      return merged;
    }
  }
}
