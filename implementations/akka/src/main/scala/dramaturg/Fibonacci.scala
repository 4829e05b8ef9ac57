package dramaturg

/** The work of ChatApp's compute: 2 * fib(n + 1) - 1 calls for `n` (IMPL-6). */
object Fibonacci {
  def apply(n: Int): Long = if (n < 2) n.toLong else apply(n - 1) + apply(n - 2)
}
