use "files"
use "pony_test"
use "../arithmetic"
use "../json"

primitive _VectorFile
  fun apply(h: TestHelper): JsonObject ? =>
    let path = FilePath(FileAuth(h.env.root), "dramaturg/test/vectors.json")
    let text = (OpenFile(path) as File).read_string(1 << 20)
    JsonObject.parse(consume text)?

class iso _Vectors is UnitTest
  """
  The questions of level 0 with their answers.
  """
  fun name(): String => "arithmetic: vectors.json"

  fun apply(h: TestHelper) ? =>
    let vectors = _VectorFile(h)?
    for vector in vectors.objects("lcg").values() do
      let lcg = Lcg(vector.number("seed"))
      let drawn = Array[U32]
      for limit in vector.numbers("moduli").values() do
        drawn.push(lcg.next_int(limit))
      end
      h.assert_array_eq[U32](vector.numbers("values"), drawn)
    end
    for vector in vectors.objects("shuffle").values() do
      let lcg = Lcg(vector.number("seed"))
      let list = Array[U32]
      while list.size() < vector.number("length").usize() do
        list.push(list.size().u32())
      end
      lcg.shuffle[U32](list)?
      h.assert_array_eq[U32](vector.numbers("values"), list)
      h.assert_eq[U32](vector.number("state"), lcg.state)
    end
    for vector in vectors.objects("fibonacci").values() do
      let n = vector.number("n")
      if n <= 30 then // more is for level 0 to ask for
        h.assert_eq[U64](vector.number("value").u64(), Fibonacci(n))
      end
    end
    for vector in vectors.objects("fold").values() do
      var digest = vector.number("salt")
      for number in vector.numbers("numbers").values() do
        digest = Fold(digest, number)
      end
      h.assert_eq[U32](vector.number("digest"), digest)
    end
    for vector in vectors.objects("checksum").values() do
      h.assert_eq[U32](
        vector.number("checksum"),
        Checksum[U32](vector.number("start"), vector.numbers("numbers")))
    end
    for vector in vectors.objects("stream").values() do
      let stream = Stream(vector.number("key"))
      for number in vector.numbers("numbers").values() do
        h.assert_eq[U32](number, stream.next())
      end
    end
    for vector in vectors.objects("payload").values() do
      let payload = vector("payload") as U64
      h.assert_eq[U32](vector.number("digest"), Digest(payload))
    end
