"""
What the actors of all benchmarks have in common: whom they report to, what
they are called, how they are watched, counted and timed.
"""

// What every actor of one world is given: whom to report to, and the cells in
// which it is counted and finds its watch. Not a class: see cells.pony.
type World is (Control, Cell)

trait tag Control
  """
  What actors say to control (ACT-7), and what they log.
  """
  be ready()
    """
    From each of those who are there at first.
    """

  be confirmed(
    turn: U32,
    value: U64,
    stops: U64,
    announced: U32,
    consumed: U32,
    began: U64,
    ended: U64)
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

  be done(at: U64, a: U64, b: U64, c: U64, d: U64)
    """
    From a lead, at this moment: what its receipt says.
    """

  be failed(name: Name, reason: String)
    """
    An actor met what cannot happen.
    """

  be born(name: Name, taken: Cell)
    """
    A watched actor was born; it will count in this cell what it takes.
    """

  be took(actor': Name, sender: Name, kind: U32, arguments: Arguments)
    """
    A row of an actor's log.
    """

class val Lead
  """
  What control can say to the lead of a world that has just been made.
  """
  let births: U64
    """
    How many will say that they are ready.
    """
  let receipt: Array[String] val
    """
    What the numbers are called that the lead reports in the end.
    """
  let marks: U64
    """
    Turns or windows of a run.
    """
  let finishes: Bool
    """
    Whether it answers `disconnect` with `finished`.
    """
  let run: {(U32)} val
  let disconnect: {()} val
  let turn: {()} val
  let act: {(U32, U32, U32, U32)} val

  new val create(
    births': U64 = 0,
    receipt': Array[String] val = [],
    run': {(U32)} val = {(_: U32) => None },
    marks': U64 = 0,
    finishes': Bool = false,
    disconnect': {()} val = {() => None },
    turn': {()} val = {() => None },
    act': {(U32, U32, U32, U32)} val =
      {(_: U32, _: U32, _: U32, _: U32) => None })
  =>
    births = births'
    receipt = receipt'
    run = run'
    marks = marks'
    finishes = finishes'
    disconnect = disconnect'
    turn = turn'
    act = act'

interface val Parameters
  """
  A benchmark's parameters by their names in benchmarks.proto.
  """
  fun number(field: String): U32
  fun flag(field: String): Bool
