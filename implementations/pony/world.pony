use @__atomic_fetch_add_8[U64](cell: Cell tag, by: U64, order: I32)
use @__atomic_load_8[U64](cell: Cell tag, order: I32)
use @pony_ctx[Pointer[None]]()
use @pony_triggergc[None](ctx: Pointer[None])

class val World
  """
  What every actor of one world holds from its creation to its end: whom to
  tell that it failed, where to log what it takes, and where it is counted.
  """
  let stage: Stage
  let trace: (Trace | None)
  let players: Headcount = Headcount
    """
    All actors of the benchmark but those of `crew`.
    """
  let crew: Headcount = Headcount
    """
    The poker and the directories, which outlive the iteration.
    """
  let _abandoned: Cell tag = Cell

  new val create(stage': Stage, trace': (Trace | None)) =>
    stage = stage'
    trace = trace'

  fun abandon() =>
    """
    From here on nobody begins anything new in this world.
    """
    @__atomic_fetch_add_8(_abandoned, 1, Relaxed())

  fun abandoned(): Bool =>
    """
    Pony cannot kill an actor, and what waits in its mailbox comes before
    anything that it could be told now. So whoever begins work looks here first.
    """
    @__atomic_load_8(_abandoned, Relaxed()) != 0

class val Headcount
  """
  How many actors live. An actor enters when its constructor runs and leaves
  in its finaliser, which nobody but the runtime calls: when it reclaims the
  actor. The count is outside of the program, which never reads it.
  """
  let _cell: Cell tag = Cell

  new val create() =>
    None

  fun enter() =>
    @__atomic_fetch_add_8(_cell, 1, Relaxed())

  fun leave() =>
    @__atomic_fetch_add_8(_cell, -1, Relaxed())

  fun alive(): U64 =>
    @__atomic_load_8(_cell, Relaxed())

struct Cell
  """
  A word that finalisers on all scheduler threads may change: they can send no
  messages, and Pony has no atomics of its own. It is touched by libatomic
  only, which ponyc links into every program.
  """
  var _value: U64 = 0

primitive Relaxed
  """
  The memory order: the cells guard nothing but themselves.
  """
  fun apply(): I32 => 0

primitive Collect
  """
  Makes the calling actor collect its garbage after this message, so that
  those to whom it dropped its references are told now and not when its heap
  has grown.
  """
  fun apply() =>
    @pony_triggergc(@pony_ctx())
