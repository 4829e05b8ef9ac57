use "pony_test"
use "../control"
use "../json"
use "../micro"

class iso _TasksAreThoseOfTheVectors is UnitTest
  fun name(): String => "broker: payloads and results are those of the vectors"

  fun apply(h: TestHelper) ? =>
    for vector in _VectorFile(h)?.objects("task").values() do
      let number = vector.number("number")
      let size = vector.number("size")
      let payload = Tasks.payload(vector.number("salt"), number, size)
      h.assert_eq[USize](size.usize(), payload.size())
      for (place, byte) in vector.numbers("first").pairs() do
        h.assert_eq[U32](byte, payload(place)?.u32())
      end
      h.assert_eq[U32](vector.number("checksum"), Tasks.checksum(payload))
      h.assert_eq[U32](vector.number("result"), Tasks.result(number, payload))
    end

class iso _ProbesAskForTheFirstTasks is UnitTest
  fun name(): String => "broker: a probe asks for the first tasks' results"

  fun apply(h: TestHelper) ? =>
    let given = JsonObject.parse("{\"salt\":42,\"tasks\":2,\"size\":8}")?
    var sum: U32 = 0
    for number in [as U32: 0; 1].values() do
      sum = sum + Tasks.result(number, Tasks.payload(42, number, 8))
    end
    h.assert_array_eq[U64]([sum.u64()], Benchmarks.answer("payloads", given))

class iso _LatenciesAreThoseOfTheVectors is UnitTest
  fun name(): String => "openweb: a probe's histogram is that of the vectors"

  fun apply(h: TestHelper) ? =>
    for vector in _VectorFile(h)?.objects("latency").values() do
      let counts = Benchmarks.answer("latencies", vector)
      let expected = Array[U64].init(0, counts.size())
      for bucket in vector.numbers("buckets").values() do
        expected(bucket.usize())? = expected(bucket.usize())? + 1
      end
      h.assert_array_eq[U64](expected, counts)
    end
