class Histogram
  """
  Counts of how long after they were due things were read (OPEN-5).
  """
  embed counts: Array[U64] = counts.create()

  new create() =>
    None

  new of(due: Array[U64] box, stamps: Array[U64] box, since: U64) =>
    """
    Of all stamps of a run that began then.
    """
    for (place, stamp) in stamps.pairs() do
      try count(due(place)?, stamp - since) end
    end

  fun ref count(due: U64, read: U64) =>
    """
    One, that was due and read so many nanoseconds after the start (OPEN-9).
    """
    let place = bucket(read - due)
    while counts.size() <= place do counts.push(0) end
    try counts(place)? = counts(place)? + 1 end

  fun tag bucket(nanos: U64): USize =>
    """
    Buckets are as wide as one part in 128 of what is in them.
    """
    if nanos < 256 then
      nanos.usize()
    else
      let shift = 56 - nanos.clz().usize()
      (128 * shift) + (nanos >> shift.u64()).usize()
    end
