use "time"

trait tag Windowed
  be tick(sender: Name, number: U64)
    """
    From the lead itself, by the timer: window `number` has ended.
    """

class Windows
  """
  A lead's windows (spec/windows.md): which is open, since when, and the count
  at which it was opened.
  """
  let _stage: MicroStage
  let _form: WindowedForm
  let _lead: Windowed
  let _name: Name
  let _timers: (Timers | None)
  var _opened: U64 = 0
  var _before: U64 = 0
  embed _nanos: Array[U64] = _nanos.create()

  new create(
    stage: MicroStage,
    form: WindowedForm,
    lead: Windowed,
    name: Name)
  =>
    _stage = stage
    _form = form
    _lead = lead
    _name = name
    _timers = if form.windows > 0 then Later.timers() end

  fun ref open() =>
    """
    Have the timer say when the first window has ended, if there are any.
    """
    _opened = Time.nanos()
    if _form.windows > 0 then _open(0) end

  fun _open(number: U64) =>
    match _timers
    | let timers: Timers =>
      Later(
        timers,
        _form.window,
        {()(lead = _lead, name = _name) => lead.tick(name, number)})
    end

  fun ref next(number: U64): Bool =>
    """
    Close this window and open the one after it; false if it was the last.
    """
    let closed = Time.nanos()
    _nanos.push(closed - (_opened = closed))
    if (number + 1) == _form.windows then
      close()
      return false
    end
    _open(number + 1)
    true

  fun report(number: U64, count: U64) =>
    """
    Tell control what fell into a window that is closed.
    """
    try _stage.window(count, _nanos(number.usize())?) end

  fun ref since(total: U64): U64 =>
    """
    How far `total` has come since this was last asked.
    """
    total - (_before = total)

  fun close() =>
    match _timers
    | let timers: Timers => Later.close(timers)
    end

class val WindowedForm
  """
  How many windows, and milliseconds of each. No windows: the counted form.
  """
  let windows: U64
  let window: U64

  new val create(windows': U64, window': U64) =>
    windows = windows'
    window = window'
