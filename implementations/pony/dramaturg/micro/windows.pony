use "time"
use "../world"

class val WindowedForm
  """
  How many windows, and milliseconds of each. No windows: the counted form.
  """
  let windows: U64
  let window: U64

  new val create(parameters: Parameters) =>
    windows = parameters.number("windows").u64()
    window = parameters.number("window").u64()

trait tag Windowed
  be tick(sender: Name, number: U32)
    """
    From the lead itself, by the timer: window `number` has ended.
    """

class Windows
  """
  A lead's windows (spec/windows.md): which one is open, when the others ended,
  and the count at which it was opened.
  """
  let _form: WindowedForm
  let _lead: Windowed
  let _name: Name
  let _control: Control
  let _timers: (Timers | None)
  embed _ends: Array[U64] = _ends.create()
  var _before: U64 = 0

  new create(
    form: WindowedForm,
    lead: Windowed,
    name: Name,
    control: Control)
  =>
    _form = form
    _lead = lead
    _name = name
    _control = control
    _timers = if form.windows > 0 then Later.timers() end

  fun open(number: U32 = 0) =>
    """
    Have the timer say when this window has ended, if there are any (WIN-1).
    """
    match _timers
    | let timers: Timers =>
      Later(
        timers,
        _form.window,
        {()(lead = _lead, name = _name) => lead.tick(name, number) })
    end

  fun ref next(number: U32): Bool =>
    """
    Close this window and open the one after it; false if it was the last.
    """
    _ends.push(Stopwatch.now())
    if (number.u64() + 1) < _form.windows then
      open(number + 1)
      true
    else
      match _timers
      | let timers: Timers => Later.close(timers)
      end
      false
    end

  fun report(number: U32, count: U64) =>
    """
    Tell control what fell into a window that is closed (WIN-2).
    """
    try _control.window(count, _ends(number.usize())?) end

  fun ref since(total: U64): U64 =>
    """
    How far `total` has come since this was last asked.
    """
    total - (_before = total)
