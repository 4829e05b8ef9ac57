package dramaturg

import munit.FunSuite

class ArithmeticSuite extends FunSuite {
  test("the generator has its period, and neither overflows nor repeats before") {
    val lcg = new Lcg(0)
    val drawn = Array.fill(65536)(lcg.next())
    assertEquals(drawn.toSet.size, 65536)
    assertEquals(lcg.state, 0)
  }

  test("limits are unsigned, and 0 asks for the raw number") {
    val lcg = new Lcg(42)
    assertEquals(lcg.nextInt(0), 3291)
    assertEquals(lcg.nextInt(100), 28)
    assertEquals(new Lcg(42).nextInt(-1), 3291)
  }

  test("to shuffle n items takes n - 1 draws") {
    val shuffled, counted = new Lcg(7)
    val items = Array.range(0, 10)
    shuffled.shuffle(items)
    (1 to 9).foreach(_ => counted.next())
    assertEquals(shuffled.state, counted.state)
    assertEquals(items.sorted.toSeq, 0 until 10)
  }

  test("a compute of the default scenario is worth fib(25)") {
    assertEquals(Fibonacci(25), 75025L)
  }

  test("a digest is folded modulo 2^32 and has no sign") {
    def fold(digest: Long, number: Long): Long = {
      val folded = (1664525 * digest + 1013904223 + number) % (1L << 32)
      folded ^ folded >> 16
    }
    val numbers = Seq(0L, 1L, 4294967295L, 2147483648L)
    for (salt <- numbers; number <- numbers)
      assertEquals(new Digest(salt.toInt).fold(number).toLong, fold(salt, number))
  }

  test("a checksum takes bytes as numbers from 0 to 255") {
    val bytes = Digest.checksum(new Digest(7), Array[Byte](1, -1))
    assertEquals(bytes.toLong, 31L * (31L * 7L + 1L) + 255L)
    assertEquals(bytes.toLong, Digest.checksum(new Digest(7), Array(1, 255)).toLong)
  }
}
