use "../world"

use @pony_ctx[Pointer[None]]()
use @pony_triggergc[None](ctx: Pointer[None])

class Self
  """
  What all actors have in common: a name, a log, a place among the living, and
  an end.

  An actor is counted when its constructor runs, and no more when its finaliser
  does, which nobody but the runtime calls: when it reclaims the actor (CTRL-8).
  """
  let name: Name
  let control: Control
  let _cells: Cell
  let _log: (Log | None)
  var _ended: Bool = false

  new create(name': Name, world': World) =>
    name = name'
    (control, _cells) = world'
    _log = ifdef "bare" then None else Watches.log(name', world') end
    Cells.add(_cells, 1)

  fun world(): World =>
    """
    To give to those whom this actor makes.
    """
    (control, _cells)

  fun ready() =>
    """
    Said once by each of those who are there at first, when they know all that
    they have to know.
    """
    control.ready()

  fun ref took(
    sender: Name,
    kind: U32,
    a: U64 = 0,
    b: U64 = 0,
    c: U64 = 0,
    d: U64 = 0,
    e: U64 = 0)
  =>
    """
    Said first upon every message.
    """
    took_all(sender, kind, (a, b, c, d, e, 0, 0, 0))

  fun ref took_all(sender: Name, kind: U32, arguments: Arguments) =>
    ifdef not "bare" then
      match _log
      | let log: Log => log.took(sender, kind, arguments)
      end
    end

  fun logs(): Bool =>
    """
    Whether the next message will be logged, for those to whom its arguments are
    work.
    """
    match _log
    | let log: Log box => log.due()
    else false
    end

  fun ref terminate() =>
    """
    The last act. The runtime takes away whom nobody refers to any more.
    """
    _ended = true

  fun ref let_go() =>
    """
    The last act of those who had references to others and have dropped them,
    also those that came in messages: so the others hear of it now, and not when
    there is garbage enough to be worth it.
    """
    _ended = true
    Collect()

  fun leave() =>
    """
    For the finaliser. Who has not ended itself is not gone, although the
    runtime found that it was forgotten.
    """
    if _ended then Cells.add(_cells, -1) end

  fun failed(reason: String) =>
    control.failed(name, reason)

  fun unknown(other: Name) =>
    failed("hears from " + Names.spell(other) + ", whom it does not know")

primitive Collect
  """
  Makes the calling actor collect its garbage after this message.
  """
  fun apply() =>
    @pony_triggergc(@pony_ctx())
