use "time"

actor ChatAppStage is Stage
  """
  Plays ChatApp: prepare, then acts and turns and a disconnect, or one run.
  """
  let _control: Control
  let _timers: Timers
  let _parameters: ChatAppParameters
  let _trace: (Trace | None)
  let _house: House val
  var _poker: (Poker | None) = None
  embed _clock: StageClock = _clock.create()
  embed _turn_nanos: Array[U64] = _turn_nanos.create()
  var _confirms: U64 = 0
  var _fib_sum: U64 = 0
  var _running: Bool = false
  var _first_poke: U64 = U64.max_value()
  var _last_confirm: U64 = 0
  var _run_nanos: U64 = 0

  new create(
    control: Control,
    timers: Timers,
    parameters: ChatAppParameters,
    trace: (Trace | None),
    curtain: Curtain)
  =>
    _control = control
    _timers = timers
    _parameters = parameters
    _trace = trace
    _house = House.open(curtain)

  be prepare() =>
    _clock.start()
    let poker = Poker(this, _parameters, (this, _trace, _house.address()))
    _poker = poker
    poker.prepare(Names.control())

  be ready() =>
    _clock.stop()
    _control.prepared(this, _clock.spent())

  be act(client: U64, choice: Choice, index: U64, k: U64) =>
    _clock.start()
    match _poker
    | let poker: Poker => poker.act(Names.control(), client, choice, index, k)
    end

  be turn() =>
    _clock.start()
    match _poker
    | let poker: Poker => poker.turn(Names.control())
    end

  be run() =>
    _running = true
    _clock.start()
    match _poker
    | let poker: Poker => poker.run(Names.control())
    end

  be confirmed(turn': U64, value: U64, started: U64, ended: U64) =>
    _confirms = _confirms + 1
    _fib_sum = _fib_sum + value
    _first_poke = _first_poke.min(started)
    _last_confirm = _last_confirm.max(ended)
    let nanos = ended - started
    // In a run, turns may be confirmed in any order.
    while _turn_nanos.size().u64() <= turn' do _turn_nanos.push(0) end
    try _turn_nanos(turn'.usize())? = nanos end
    if not _running then
      _clock.stop()
      _end_of_run()
      _control.confirmed(this, turn', nanos)
    end

  fun ref _end_of_run() =>
    if _first_poke < _last_confirm then
      _run_nanos = _run_nanos + (_last_confirm - _first_poke)
      _first_poke = U64.max_value()
    end

  be progress() =>
    _control.progressed(this, _confirms, _parameters.turns)

  be disconnect() =>
    _clock.start()
    match _poker
    | let poker: Poker => poker.disconnect(Names.control())
    end

  be finished(sums: Sums) =>
    _clock.stop()
    _end_of_run()
    WhenEmpty(
      _timers,
      {()(house = _house): U64 => house.players() },
      {(alive: U64)(self: ChatAppStage = this) => self.emptied(sums, alive)})

  be emptied(sums: Sums, alive: U64) =>
    _control.finished(
      this,
      Receipts.chatapp(
        sums,
        _fib_sum,
        _confirms,
        _turn_nanos,
        (_clock.spent(), _run_nanos, alive)))

  be close() =>
    _poker = None
    Collect()
    WhenEmpty(
      _timers,
      {()(house = _house): U64 => house.crew() },
      {(_: U64)(control = _control, self: ChatAppStage = this) =>
        control.closed(self)
      })

  be abandon() =>
    match (_poker = None)
    | let poker: Poker => poker.abandon()
    end
    Collect()

  be failed(actor': Name, reason: String) =>
    _control.failed(this, Names.spell(actor') + " " + reason)

  fun _final() =>
    _house.close()
