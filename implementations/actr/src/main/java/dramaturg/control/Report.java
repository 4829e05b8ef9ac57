package dramaturg.control;

/** What actors tell control. {@code ended} is when that was, by the {@link Stopwatch}. */
public sealed interface Report {
  record Ready() implements Report {}

  /** The three last are digests, but for {@code stops}; {@code started} is the poker's stamp. */
  record Confirmed(
      int turn, long value, long stops, int announced, int consumed, long started, long ended)
      implements Report {}

  record Finished(
      long lcg,
      long computes,
      long posts,
      long leaves,
      long invites,
      long nones,
      long deliveries,
      long joins)
      implements Report {}

  record Window(int number, long count, long ended) implements Report {}

  /** The alarm, before it is done: of all naps (SLEEP-5). */
  record Shortest(long nanos) implements Report {}

  /** What the receipt repeats: as many arguments as the protocol names. */
  record Done(long[] arguments, long ended) implements Report {}

  /** Not of the specification: what ends a call (CTRL-10). */
  record Failed(String reason) implements Report {}
}
