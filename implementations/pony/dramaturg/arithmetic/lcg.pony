class Lcg
  """
  The shared random generator (LCG-1): the new state is the output. Every actor
  that draws has one of its own.
  """
  var state: U32

  new create(seed: U32) =>
    state = seed

  fun ref next(): U32 =>
    """
    The next raw number, 0..65535.
    """
    state = ((1309 * state) + 13849) and 0xFFFF
    state

  fun ref next_int(limit: U32): U32 =>
    """
    The next number below `limit`; with 0 the raw number. Always one draw
    (LCG-2).
    """
    let number = next()
    if limit == 0 then number else number % limit end

  fun ref shuffle[A](items: Array[A]) ? =>
    """
    Shuffle in place with one draw fewer than there are items, from the back
    (LCG-3). Partial only because array access is: the places are always there.
    """
    var i = items.size()
    while i > 1 do
      let j = next_int(i.u32()).usize()
      i = i - 1
      items.swap_elements(i, j)?
    end
