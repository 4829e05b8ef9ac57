use "collections"
use "time"
use "../actor"
use "../arithmetic"
use "../world"

// Sleepers (spec/sleepers.md): as fanout, but every answer waits for a timer.

primitive Sleepers
  fun apply(parameters: Parameters, world: World): Lead =>
    let sleepers = parameters.number("sleepers")
    let alarm =
      Alarm(
        sleepers,
        parameters.number("naps"),
        parameters.number("delay"),
        world)
    object val is Lead
      fun births(): U64 => sleepers.u64() + 1
      fun run(salt: U32) => alarm.start(Names.control(), salt)
    end

actor Alarm
  """
  Sends everybody to sleep, again and again.
  """
  let _naps: U32
  let _timers: Timers = Later.timers()
  embed _self: Self
  embed _sleepers: Array[Sleeper]
  embed _sent: Array[U64] // when each was last sent to sleep
  var _shortest: U64 = -1
  var _salt: U32 = 0
  var _awakened: U64 = 0
  var _sum: U32 = 0

  new create(sleepers: U32, naps: U32, delay: U32, world: World) =>
    _naps = naps
    _self = Self(Names(Classes.alarm()), world)
    _sleepers = Array[Sleeper](sleepers.usize())
    _sent = Array[U64].init(0, sleepers.usize())
    for index in Range[U32](0, sleepers) do
      _sleepers.push(Sleeper(index, naps, delay, this, _timers, world))
    end
    _self.ready()

  be start(sender: Name, salt: U32) =>
    _self.took(sender, Kinds.alarm_start(), salt.u64())
    _salt = salt
    for index in Range[U32](0, _sleepers.size().u32()) do
      _send_to_sleep(index, 0)
    end

  be awake(sender: Name, number: U32, value: U32) =>
    let at = Stopwatch.now()
    _self.took(sender, Kinds.alarm_awake(), number.u64(), value.u64())
    let index = Names.index_of(sender)
    try _shortest = _shortest.min(at - _sent(index.usize())?) end
    _awakened = _awakened + 1
    _sum = _sum + value
    if (number + 1) < _naps then
      _send_to_sleep(index, number + 1)
    end
    if _awakened == (_sleepers.size().u64() * _naps.u64()) then
      _self.control.done(
        Stopwatch.stop(), [_awakened; _sum.u64()], _shortest)
      Later.close(_timers)
      _sleepers.clear()
      _self.let_go()
    end

  fun ref _send_to_sleep(index: U32, number: U32) =>
    try
      let value = Fold(Fold(_salt, index), number)
      let sleeper = _sleepers(index.usize())?
      _sent(index.usize())? = Stopwatch.now()
      sleeper.sleep(_self.name, number, value)
    else
      _self.unknown(Names(Classes.sleeper(), index))
    end

  fun _final() =>
    _self.leave()

actor Sleeper
  """
  Sleeps when told to, on the runtime's timer.
  """
  let _naps: U32
  let _delay: U32
  let _alarm: Alarm
  let _timers: Timers
  embed _self: Self
  var _value: U32 = 0

  new create(
    index: U32,
    naps: U32,
    delay: U32,
    alarm: Alarm,
    timers: Timers,
    world: World)
  =>
    _naps = naps
    _delay = delay
    _alarm = alarm
    _timers = timers
    _self = Self(Names(Classes.sleeper(), index), world)
    _self.ready()

  be sleep(sender: Name, number: U32, value: U32) =>
    _self.took(sender, Kinds.sleeper_sleep(), number.u64(), value.u64())
    _value = value
    Later(
      _timers,
      _delay.u64(),
      {()(self: Sleeper = this, name = _self.name) => self.wake(name, number) })

  be wake(sender: Name, number: U32) =>
    _self.took(sender, Kinds.sleeper_wake(), number.u64())
    _alarm.awake(_self.name, number, Fold(_value, _delay))
    if (number + 1) == _naps then _self.terminate() end

  fun _final() =>
    _self.leave()
