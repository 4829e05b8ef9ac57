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

  test("names are spelled as people read them") {
    assertEquals(Names.spell(Names.chat(17, 2)), "chat/17.2")
    assertEquals(Names.spell(Names.client(17)), "client/17")
    assertEquals(Names.spell(Names.Control), "control")
  }
}
