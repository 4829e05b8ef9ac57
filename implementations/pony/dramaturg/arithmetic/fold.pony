primitive Fold
  """
  What every digest is made of (ACT-8), modulo 2^32.
  """
  fun apply(digest: U32, number: U32): U32 =>
    (31 * (digest xor number)) + 1

  fun all[A: (Unsigned & UnsignedInteger[A] val)](
    salt: U32,
    numbers: Array[A] box)
    : U32
  =>
    """
    All of these, one after the other, into `salt`.
    """
    var digest = salt
    for number in numbers.values() do
      digest = apply(digest, number.u32())
    end
    digest
