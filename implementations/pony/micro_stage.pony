use "time"

actor MicroStage is Stage
  """
  Plays a micro-benchmark: one line to the lead, and the lead's last report.
  """
  let _control: Control
  let _timers: Timers
  let _piece: Piece
  let _trace: (Trace | None)
  let _house: House val
  var _lead: (Lead | None) = None
  var _line: ({()} val | None) = None
  var _waiting: U64 = 0
  embed _clock: StageClock = _clock.create()
  var _started: U64 = 0
  var _run_nanos: U64 = 0
  var _aside: U64 = 0
  var _done: Done = (0, 0, 0)
  embed _windows: Array[U64] = _windows.create()
  embed _window_nanos: Array[U64] = _window_nanos.create()

  new create(
    control: Control,
    timers: Timers,
    piece: Piece,
    trace: (Trace | None),
    curtain: Curtain)
  =>
    _control = control
    _timers = timers
    _piece = piece
    _trace = trace
    _house = House.open(curtain)

  be prepare() =>
    _clock.start()
    (_waiting, _lead, _line) =
      _piece.cast(this, (this, _trace, _house.address()))

  be ready() =>
    _waiting = _waiting - 1
    if _waiting == 0 then
      _clock.stop()
      _control.prepared(this, _clock.spent())
    end

  be run() =>
    _clock.start()
    match (_line = None)
    | let line: {()} val => line()
    end

  be started(at: U64) =>
    """
    The lead is about to send its first message.
    """
    _started = at

  be window(count: U64, nanos: U64) =>
    """
    The lead's next window has ended.
    """
    _windows.push(count)
    _window_nanos.push(nanos)

  be aside(count: U64) =>
    """
    What another than the lead has counted. Heard before the lead's last report
    if said before anything that leads to that: messages are causal.
    """
    _aside = count

  be done(at: U64, result: U64, check: U64 = 0, parts: U64 = 0) =>
    """
    The lead has taken its last message.
    """
    _clock.stop()
    _run_nanos = at - _started
    _done = (result, check + _aside, parts)
    _finished()

  fun ref _finished() =>
    _lead = None
    _line = None
    Collect()
    WhenEmpty(
      _timers,
      {()(house = _house): U64 => house.players() },
      {(alive: U64)(self: MicroStage = this) => self.emptied(alive)})

  be emptied(alive: U64) =>
    _control.finished(
      this,
      Receipts.micro(
        _piece,
        _done,
        _windows,
        _window_nanos,
        (_clock.spent(), _run_nanos, alive)))

  be progress() =>
    // The lead's mailbox may be long, and is what is measured: nobody is asked.
    _control.progressed(this, 0, 1)

  be disconnect() =>
    // Nobody has started: there is no protocol by which they could end.
    _house.abandon()
    _abandon()
    _finished()

  be close() =>
    _control.closed(this)

  be abandon() =>
    _abandon()

  fun ref _abandon() =>
    match (_lead = None)
    | let lead: Lead => lead.abandon()
    end
    _line = None
    Collect()

  be failed(actor': Name, reason: String) =>
    _control.failed(this, Names.spell(actor') + " " + reason)

  fun _final() =>
    _house.close()

// The arguments of the lead's last report.
type Done is (U64, U64, U64)
