class val Curtain
  """
  Numbers the worlds of a session and says which of them are abandoned.

  Pony cannot kill an actor, and what waits in its mailbox comes before anything
  that it could be told now. So whoever reads `abandon` drops the curtain, and
  whoever begins work in a world looks first whether it is still up.
  """
  let dropped: Cell = Cells.make()
    """
    The number of the last world that is abandoned.
    """
  let _raised: Cell = Cells.make()

  new val create() =>
    None

  fun raise_curtain(): U64 =>
    """
    The number of the next world.
    """
    Cells.add(_raised, 1) + 1

  fun drop_curtain() =>
    """
    Abandon every world up to now.
    """
    Cells.write(dropped, Cells.read(_raised))
