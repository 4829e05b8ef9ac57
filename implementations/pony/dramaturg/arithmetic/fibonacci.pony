primitive Fibonacci
  """
  The work that `compute` does: doubly recursive descent, each time anew
  (IMPL-6).
  """
  fun apply(n: U32): U64 =>
    if n < 2 then n.u64() else apply(n - 1) + apply(n - 2) end
