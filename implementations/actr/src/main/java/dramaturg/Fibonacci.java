package dramaturg;

/** The work of a compute, by doubly recursive descent (IMPL-6). */
public final class Fibonacci {
  private Fibonacci() {}

  public static long of(int n) {
    return n < 2 ? n : of(n - 1) + of(n - 2);
  }
}
