primitive Fibonacci
  """
  The work that `compute` does: doubly recursive descent, each time anew.
  """
  fun apply(n: U64): U64 =>
    if n < 2 then n else apply(n - 1) + apply(n - 2) end
