primitive Fold
  """
  What every digest is made of (ACT-8), modulo 2^32.
  """
  fun apply(digest: U32, number: U32): U32 =>
    let folded = (1664525 * digest) + 1013904223 + number
    folded xor (folded >> 16)

primitive Digest
  """
  Of a payload (ACT-8), by its two halves.
  """
  fun apply(payload: U64): U32 =>
    Fold((payload >> 32).u32(), payload.u32())
