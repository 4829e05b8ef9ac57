package dramaturg.micro

import dramaturg.v2.ControlOuterClass.Probe
import dramaturg.{Digest, Vectors}

class BrokerSuite extends Vectors {
  each("task") { vector =>
    val salt = new Digest(int(vector, "salt"))
    val number = vector.get("number").getAsLong
    val payload = Broker.payload(salt, number, int(vector, "size"))
    val first = longs(vector.get("first"))
    assertEquals(payload.toSeq.take(first.size).map(java.lang.Byte.toUnsignedLong), first)
    val checksum = Digest.checksum(Digest.Zero, payload).toLong
    assertEquals(checksum, vector.get("checksum").getAsLong)
    assertEquals(Broker.result(number, payload).toLong, vector.get("result").getAsLong)
  }

  test("a probe of payloads is answered with the sum of the results") {
    val (salt, size) = (new Digest(42), 300)
    val results = Seq(0L, 1L, 2L).map { number =>
      Broker.result(number, Broker.payload(salt, number, size))
    }
    val payloads = Probe.Payloads.newBuilder.setSalt(42).setTasks(3).setSize(size)
    val probe = Probe.newBuilder.setPayloads(payloads).build
    assertEquals(answer(probe), Seq(results.reduce(_ + _).toLong))
  }
}
