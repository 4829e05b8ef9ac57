package dramaturg

import dramaturg.v2.ControlOuterClass.Probe

/** What all benchmarks have in common. */
class VectorsSuite extends Vectors {
  each("lcg") { vector =>
    val lcg = Probe.Lcg.newBuilder.setSeed(vector.get("seed").getAsInt)
    val probe = Probe.newBuilder.setLcg(lcg.addAllModuli(ints(vector.get("moduli")))).build
    assertEquals(answer(probe), longs(vector.get("values")))
  }

  each("shuffle") { vector =>
    val shuffle = Probe.Shuffle.newBuilder.setSeed(vector.get("seed").getAsInt)
    val probe = Probe.newBuilder.setShuffle(shuffle.setLength(vector.get("length").getAsInt)).build
    assertEquals(answer(probe), longs(vector.get("values")) :+ vector.get("state").getAsLong)
  }

  // What takes more is left to level 0.
  each("fibonacci", _.get("calls").getAsLong < MostCalls) { vector =>
    assertEquals(Fibonacci(vector.get("n").getAsInt), vector.get("value").getAsLong)
  }

  each("fold") { vector =>
    val fold = Probe.Fold.newBuilder.setSalt(vector.get("salt").getAsLong.toInt)
    val probe = Probe.newBuilder.setFold(fold.addAllNumbers(ints(vector.get("numbers")))).build
    assertEquals(answer(probe), Seq(vector.get("digest").getAsLong))
  }

  each("checksum") { vector =>
    val numbers = longs(vector.get("numbers")).map(_.toInt).toArray
    val start = new Digest(vector.get("start").getAsLong.toInt)
    assertEquals(Digest.checksum(start, numbers).toLong, vector.get("checksum").getAsLong)
  }

  each("payload") { vector =>
    val payload = vector.get("payload").getAsBigInteger.longValue
    assertEquals(Digest.ofPayload(payload).toLong, vector.get("digest").getAsLong)
  }

  each("stream") { vector =>
    val stream = new Stream(new Digest(int(vector, "key")))
    for (number <- longs(vector.get("numbers")))
      assertEquals(Integer.toUnsignedLong(stream.next()), number)
  }

  private lazy val MostCalls = 10_000_000
}
