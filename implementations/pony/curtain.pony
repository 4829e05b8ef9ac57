class val Curtain
  """
  Numbers the worlds of a session and says which of them are abandoned.

  Pony cannot kill an actor, and what waits in its mailbox comes before anything
  that it could be told now. So whoever reads `abandon` drops the curtain, and
  whoever begins work in a world looks first whether it is still up.
  """
  let _raised: Cell tag = Cell
  let _dropped: Cell tag = Cell

  new val create() =>
    None

  fun raise_curtain(): U64 =>
    """
    The number of the next world.
    """
    Cells.add(_raised, 1)
    Cells.read(_raised)

  fun drop_curtain() =>
    """
    Abandon every world up to now.
    """
    Cells.write(_dropped, Cells.read(_raised))

  fun is_down(world: U64): Bool =>
    Cells.read(_dropped) >= world
