// What a call of Fibonacci's function costs on this runtime, in nanoseconds: the least of
// many short runs, by the text that implementations compute with (IMPL-6).
final class Floor {
  static final int N = 21;
  static volatile long value;

  static long fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
  }

  public static void main(String[] arguments) {
    long ended = System.nanoTime() + 2_000_000_000L;
    long least = Long.MAX_VALUE;
    for (long begun = System.nanoTime(); begun < ended; ) {
      value = fibonacci(N);
      long now = System.nanoTime();
      least = Math.min(least, now - begun);
      begun = System.nanoTime();
    }
    System.out.printf(java.util.Locale.ROOT, "%.6f%n", least / (double) (2 * fibonacci(N + 1) - 1));
  }
}
