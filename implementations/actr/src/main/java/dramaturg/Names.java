package dramaturg;

import dramaturg.v2.Options;
import dramaturg.v2.Trace.ActorClass;

/** Actor names: a class and two indices in one 64-bit integer (ACT-3). */
public final class Names {
  public static final long CONTROL = of(ActorClass.ACTOR_CLASS_CONTROL_VALUE);

  private static final int CLASS_SHIFT = 56;
  private static final int INDEX_SHIFT = 24;
  private static final long SECOND_MASK = (1L << INDEX_SHIFT) - 1;

  private Names() {}

  public static long of(int actorClass) {
    return of(actorClass, 0, 0);
  }

  /** The first index is unsigned. */
  public static long of(int actorClass, int index) {
    return of(actorClass, index, 0);
  }

  public static long of(int actorClass, int index, int second) {
    return (long) actorClass << CLASS_SHIFT | Integer.toUnsignedLong(index) << INDEX_SHIFT | second;
  }

  public static int classOf(long name) {
    return (int) (name >>> CLASS_SHIFT);
  }

  /** The first index in a name; it is unsigned. */
  public static int indexOf(long name) {
    return (int) (name >>> INDEX_SHIFT);
  }

  /** A name as people read it: {@code client/17}, {@code chat/17.2}. */
  public static String spell(long name) {
    var actorClass = ActorClass.forNumber(classOf(name));
    var label = actorClass.getValueDescriptor().getOptions().getExtension(Options.label);
    var index = Integer.toUnsignedString(indexOf(name));
    return actorClass == ActorClass.ACTOR_CLASS_CHAT
        ? label + "/" + index + "." + (name & SECOND_MASK)
        : label + "/" + index;
  }
}
