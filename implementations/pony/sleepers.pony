use "collections"
use "time"

// Sleepers (spec/sleepers.md): as fanout, but every answer waits for a timer.

class val Sleepers is Piece
  """
  Sleepers, naps of each, and milliseconds of each nap.
  """
  let sleepers: U64
  let naps: U64
  let delay: U64
  let _refusal: (Refusal | None)

  new val create(request: JsonObject) =>
    let fields = Fields(request)
    sleepers = fields.actors("sleepers")
    naps = fields.times("naps")
    delay = fields.number("delay", 0, 60_000)
    _refusal = fields.refusal

  fun name(): String => "sleepers"

  fun refusal(): (Refusal | None) => _refusal

  fun receipt(done: Done): Array[(String, U64)] =>
    [("naps", done._1)]

  fun val cast(stage: MicroStage, world: World): Opening =>
    let alarm = Alarm(this, stage, world)
    (sleepers + 1, alarm, {() => alarm.start(Names.control()) })

actor Alarm is Lead
  """
  Sends everybody to sleep, again and again.
  """
  let _piece: Sleepers
  let _stage: MicroStage
  let _timers: Timers = Later.timers()
  embed _role: Role
  embed _sleepers: Array[Sleeper] = _sleepers.create()
  var _naps: U64 = 0

  new create(piece: Sleepers, stage: MicroStage, world: World) =>
    _piece = piece
    _stage = stage
    _role = Role(Names.alarm(), world)
    for index in Range[U64](0, piece.sleepers) do
      _sleepers.push(
        Sleeper(index, piece.naps, piece.delay, this, _timers, world))
    end
    _role.ready()

  be start(sender: Name) =>
    _role.log(sender, AlarmTakes.start())
    _stage.started(Time.nanos())
    for sleeper in _sleepers.values() do
      sleeper.sleep(_role.name, 0)
    end

  be awake(sender: Name, number: U32) =>
    _role.log(sender, AlarmTakes.awake(), number.u64())
    if _role.ended then return end
    _naps = _naps + 1
    if (number.u64() + 1) < _piece.naps then
      try
        _sleepers(Names.index_of(sender).usize())?
          .sleep(_role.name, number + 1)
      else
        _role.unknown(sender)
      end
    end
    if _naps == (_piece.sleepers * _piece.naps) then
      _stage.done(Time.nanos(), _naps)
      _terminate()
    end

  be abandon() =>
    _terminate()

  fun ref _terminate() =>
    Later.close(_timers)
    _sleepers.clear()
    _role.let_go()

  fun _final() =>
    _role.leave()

actor Sleeper
  """
  Sleeps when told to, on the runtime's timer.
  """
  let _naps: U64
  let _delay: U64
  let _alarm: Alarm
  let _timers: Timers
  embed _role: Role

  new create(
    index: U64,
    naps: U64,
    delay: U64,
    alarm: Alarm,
    timers: Timers,
    world: World)
  =>
    _naps = naps
    _delay = delay
    _alarm = alarm
    _timers = timers
    _role = Role(Names.sleeper(index), world)
    _role.ready()

  be sleep(sender: Name, number: U32) =>
    _role.log(sender, SleeperTakes.sleep(), number.u64())
    if _role.abandoned() then return end
    Later(
      _timers,
      _delay,
      {()(self: Sleeper = this, name = _role.name) => self.wake(name, number) })

  be wake(sender: Name, number: U32) =>
    _role.log(sender, SleeperTakes.wake(), number.u64())
    _alarm.awake(_role.name, number)
    if (number.u64() + 1) == _naps then _role.terminate() end

  fun _final() =>
    _role.leave()
