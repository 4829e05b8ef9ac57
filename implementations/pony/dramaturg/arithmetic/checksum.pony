primitive Checksum
  """
  Of a list in its order (ACT-8), modulo 2^32.
  """
  fun apply[A: (Unsigned & UnsignedInteger[A] val)](
    start: U32,
    numbers: Array[A] box)
    : U32
  =>
    var sum = start
    for number in numbers.values() do
      sum = (31 * sum) + number.u32()
    end
    sum
