class Lcg
  """
  The shared random generator (spec/lcg.md): `x' = (1309 x + 13849) mod 65536`,
  and the new state is the output. Every actor that draws has one of its own.
  """
  var state: U64

  new create(seed: U64) =>
    state = seed

  fun ref next(): U64 =>
    """
    The next raw number, 0..65535.
    """
    state = ((1309 * state) + 13849) and 0xFFFF
    state

  fun ref next_int(limit: U64): U64 =>
    """
    The next number below `limit`; with 0 the raw number. Always one draw.
    """
    let number = next()
    if limit == 0 then number else number % limit end

  fun ref shuffle[A](items: Array[A]) ? =>
    """
    Shuffle in place with one draw fewer than there are items, from the back.
    Partial only because array access is: the indices are always in range.
    """
    var i = items.size()
    while i > 1 do
      let j = next_int(i.u64()).usize()
      i = i - 1
      items.swap_elements(i, j)?
    end
