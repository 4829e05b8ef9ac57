"""
What the actors of all benchmarks have in common: whom they report to, what
they are called, how they are watched, counted and timed.
"""

// What every actor of one world is given: whom to report to, and the cells in
// which it is counted, finds its watch and leaves its log. Not a class: see
// cells.pony.
type World is (Control, Cell)

// What an accumulator says of its turn: the value, the number of stops, and the
// sums of the digests that were announced and consumed.
type TurnSums is (U64, U64, U32, U32)

trait tag Control
  """
  What actors say to control (ACT-7).
  """
  be ready()
    """
    From each of those who are there at first.
    """

  be confirmed(turn: U32, sums: TurnSums, began: U64, ended: U64)
    """
    From the poker, with its stamps of this turn.
    """

  be finished(sums: Arguments)
    """
    From the poker, the sums over all clients.
    """

  be window(count: U64, at: U64)
    """
    From a lead: the next window ended at this moment.
    """

  be readings(
    due: Array[U64] val,
    arrived: Array[U64] val,
    answered: Array[U64] val)
    """
    From a lead that takes the time of each request, before `done`: when each
    was due after the start of the run, and its stamps.
    """

  be done(at: U64, arguments: Array[U64] val, shortest: U64 = 0)
    """
    From a lead, at this moment: what its receipt repeats; of sleepers, the
    shortest nap as well.
    """

  be failed(name: Name, reason: String)
    """
    An actor met what cannot happen.
    """

trait val Lead
  """
  What control can say to the lead of a world that has just been made, and what
  it has to know of the answers.
  """
  fun births(): U64 =>
    """
    How many will say that they are ready.
    """
    1

  fun marks(): U64 =>
    """
    Turns or windows of a run.
    """
    0

  fun finishes(): Bool =>
    """
    Whether it answers `disconnect` with `finished`.
    """
    false

  fun run(salt: U32) => None
  fun turn() => None
  fun act(request: Parameters) => None
  fun disconnect() => None

primitive Nobody is Lead

interface val Parameters
  """
  A benchmark's parameters by their names in benchmarks.proto.
  """
  fun number(field: String): U32
  fun flag(field: String): Bool
