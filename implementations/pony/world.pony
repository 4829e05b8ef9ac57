use @pony_ctx[Pointer[None]]()
use @pony_triggergc[None](ctx: Pointer[None])

// What every actor of one world is given: whom to tell that it failed, where to
// log what it takes, and where it is counted.
type World is (Stage, (Trace | None), Address)

// Where the house of a world is. No object: what an actor can reach has entries
// in its tables, and those are most of what a small actor costs. So each has a
// house of its own, part of itself, at the same address.
type Address is (Cell, Cell, Cell, U64)

class House
  """
  How many actors of a world live, and whether its curtain is still up.

  An actor enters when its constructor runs and leaves in its finaliser, which
  nobody but the runtime calls: when it reclaims the actor. The program never
  reads the numbers.
  """
  let _players: Cell
  let _crew: Cell
  let _dropped: Cell
  let _number: U64

  new val open(curtain: Curtain) =>
    """
    The next world's.
    """
    _players = Cells.make()
    _crew = Cells.make()
    _dropped = curtain.dropped
    _number = curtain.raise_curtain()

  new create(address': Address) =>
    (_players, _crew, _dropped, _number) = address'

  fun address(): Address =>
    (_players, _crew, _dropped, _number)

  fun enter() =>
    """
    One of the benchmark's actors, but those of the crew.
    """
    Cells.add(_players, 1)

  fun leave() =>
    Cells.add(_players, -1)

  fun players(): U64 =>
    Cells.read(_players)

  fun enter_crew() =>
    """
    The poker or a directory, which outlive the iteration.
    """
    Cells.add(_crew, 1)

  fun leave_crew() =>
    Cells.add(_crew, -1)

  fun crew(): U64 =>
    Cells.read(_crew)

  fun abandoned(): Bool =>
    """
    Whether there is no point in beginning anything here.
    """
    Cells.read(_dropped) >= _number

  fun abandon() =>
    Cells.write(_dropped, _number)

  fun close() =>
    """
    For the stage's finaliser, which outlives all others.
    """
    Cells.discard(_players)
    Cells.discard(_crew)

primitive Collect
  """
  Makes the calling actor collect its garbage after this message, so that those
  to whom it dropped its references hear of it now and not when its heap has
  grown.
  """
  fun apply() =>
    @pony_triggergc(@pony_ctx())
