primitive Checksum[A: (Unsigned & UnsignedInteger[A] val)]
  """
  Depends on every item and on their order (SORT-2, BROKER-3).
  """
  fun apply(items: Array[A] box): U32 =>
    var checksum: U32 = 0
    for item in items.values() do
      checksum = (31 * checksum) + item.u32()
    end
    checksum
