package dramaturg;

import java.util.Collections;
import java.util.List;

/** The random generator (spec/lcg.md). Every actor that draws has one of its own. */
public final class Lcg {
  private int state;

  public Lcg(int seed) {
    state = seed;
  }

  /** The last number drawn, or the seed. */
  public int state() {
    return state;
  }

  /** The next raw number, 0..65535. */
  public int next() {
    state = (1309 * state + 13849) & 0xffff;
    return state;
  }

  /** The next number below {@code limit}, which is unsigned; with 0 the raw number. One draw. */
  public int nextInt(int limit) {
    int number = next();
    return limit == 0 ? number : Integer.remainderUnsigned(number, limit);
  }

  /** Shuffles in place from the back, with {@code items.size() - 1} draws. */
  public void shuffle(List<?> items) {
    for (int i = items.size() - 1; i >= 1; i--) {
      Collections.swap(items, i, nextInt(i + 1));
    }
  }
}
