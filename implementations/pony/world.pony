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
  let _curtain: Curtain
  let _number: U64

  new val create(stage': Stage, trace': (Trace | None), curtain: Curtain) =>
    stage = stage'
    trace = trace'
    _curtain = curtain
    _number = curtain.raise_curtain()

  fun abandoned(): Bool =>
    """
    Whether there is no point in beginning anything here.
    """
    _curtain.is_down(_number)

class val Headcount
  """
  How many actors live. An actor enters when its constructor runs and leaves
  in its finaliser, which nobody but the runtime calls: when it reclaims the
  actor. The program never reads it.
  """
  let _count: Cell tag = Cell

  new val create() =>
    None

  fun enter() =>
    Cells.add(_count, 1)

  fun leave() =>
    Cells.add(_count, -1)

  fun alive(): U64 =>
    Cells.read(_count)

primitive Collect
  """
  Makes the calling actor collect its garbage after this message, so that those
  to whom it dropped its references hear of it now and not when its heap has
  grown.
  """
  fun apply() =>
    @pony_triggergc(@pony_ctx())
