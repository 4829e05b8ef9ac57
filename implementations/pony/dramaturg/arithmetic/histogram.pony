primitive Histogram
  """
  Counts of stamps by how long after a moment they were read (OPEN-5).
  """
  fun apply(stamps: Array[U64] box, since: U64): Array[U64] =>
    let counts = Array[U64]
    for stamp in stamps.values() do
      let place = bucket(stamp - since)
      while counts.size() <= place do counts.push(0) end
      try counts(place)? = counts(place)? + 1 end
    end
    counts

  fun bucket(nanos: U64): USize =>
    """
    Buckets are as wide as one part in 128 of what is in them.
    """
    if nanos < 256 then
      nanos.usize()
    else
      let shift = 56 - nanos.clz().usize()
      (128 * shift) + (nanos >> shift.u64()).usize()
    end
