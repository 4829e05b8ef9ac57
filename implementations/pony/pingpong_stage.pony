use "time"

actor PingPongStage is Stage
  """
  Plays ping-pong: one line, `start`.
  """
  let _control: Control
  let _timers: Timers
  let _parameters: PingPongParameters
  let _world: World
  var _ping: (Ping | None) = None
  embed _clock: StageClock = _clock.create()
  var _pings: U64 = 0
  var _pongs: U64 = 0
  var _run_nanos: U64 = 0
  var _playing: U64 = 2

  new create(
    control: Control,
    timers: Timers,
    parameters: PingPongParameters,
    trace: (Trace | None),
    curtain: Curtain)
  =>
    _control = control
    _timers = timers
    _parameters = parameters
    _world = World(this, trace, curtain)

  be prepare() =>
    _clock.start()
    _ping = Ping(Pong(this, _world), this, _world)
    _clock.stop()
    _control.prepared(this, _clock.spent())

  be run() =>
    _clock.start()
    match _ping
    | let ping: Ping => ping.start(Names.control(), _parameters.rounds)
    end

  be played(pongs: U64, started: U64, ended: U64) =>
    _clock.stop()
    _pongs = pongs
    _run_nanos = ended - started
    _one_finished()

  be answered(pings: U64) =>
    """
    Pong has no line for control in the specification; the receipt needs this.
    """
    _pings = pings
    _one_finished()

  fun ref _one_finished() =>
    _playing = _playing - 1
    if _playing == 0 then _finished() end

  fun ref _finished() =>
    _ping = None
    Collect()
    WhenEmpty(
      _timers,
      _world.players,
      {(alive: U64)(self: PingPongStage = this) => self.emptied(alive)})

  be emptied(alive: U64) =>
    _control.finished(
      this,
      Receipts.pingpong(_pings, _pongs, (_clock.spent(), _run_nanos, alive)))

  be progress() =>
    match _ping
    | let ping: Ping => ping.progress()
    end

  be progressed(pongs: U64) =>
    _control.progressed(this, pongs, _parameters.rounds)

  be disconnect() =>
    // Nobody has started: there is no protocol by which they could end.
    match _ping
    | let ping: Ping => ping.abandon()
    end
    _finished()

  be close() =>
    _control.closed(this)

  be abandon() =>
    match (_ping = None)
    | let ping: Ping => ping.abandon()
    end
    Collect()

  be failed(actor': Name, reason: String) =>
    _control.failed(this, Names.spell(actor') + " " + reason)
