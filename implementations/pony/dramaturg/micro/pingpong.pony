use "../actor"
use "../arithmetic"
use "../world"

// Ping-pong (spec/pingpong.md): two actors, two messages a round.

primitive PingPong
  fun apply(parameters: Parameters, world: World): Lead =>
    let rounds = parameters.number("rounds")
    let shift = parameters.number("shift").u64()
    let form = WindowedForm(parameters)
    let pong = Pong(shift, world)
    let ping = Ping(form, shift, pong, world)
    pong.meet(ping)
    object val is Lead
      fun births(): U64 => 2
      fun marks(): U64 => form.windows
      fun run(salt: U32) => ping.start(Names.control(), rounds, salt)
    end

primitive Wide
  """
  A value as it is sent: shifted, and its lowest bits once more behind it
  (PING-7).
  """
  fun apply(value: U32, shift: U64): U64 =>
    (value.u64() << shift) or (value.u64() and ((1 << shift) - 1))

actor Ping is Windowed
  """
  Sends `ping`, takes `pong`, until none are left.
  """
  let _shift: U64 // bits by which values are shifted when they are sent
  let _pong: Pong
  embed _self: Self
  embed _windows: Windows
  var _windowed: Bool
  var _salt: U32 = 0
  var _pongs: U64 = 0
  var _sum: U32 = 0

  new create(form: WindowedForm, shift: U64, pong': Pong, world: World) =>
    _shift = shift
    _pong = pong'
    _self = Self(Names(Classes.ping()), world)
    _windows = Windows(form, this, _self.name, _self.control)
    _windowed = form.windows > 0
    _self.ready()

  be start(sender: Name, rounds: U32, salt: U32) =>
    _self.took(sender, Kinds.ping_start(), rounds.u64(), salt.u64())
    _salt = salt
    _windows.open()
    _ping(rounds)

  be pong(sender: Name, left: U32, value: U64) =>
    _self.took(sender, Kinds.ping_pong(), left.u64(), value)
    _pongs = _pongs + 1
    _sum = _sum + (value >> _shift).u32()
    if left > 0 then
      _ping(left)
    else
      _self.control.done(Stopwatch.stop(), [_pongs; _sum.u64()])
      _self.terminate()
    end

  be tick(sender: Name, number: U32) =>
    _self.took(sender, Kinds.ping_tick(), number.u64())
    _windowed = _windows.next(number)
    _windows.report(number, _windows.since(_pongs))

  fun _ping(left: U32) =>
    """
    The next round. In windows there is one more as long as one is open.
    """
    _pong.ping(
      _self.name,
      if _windowed then 1 else left - 1 end,
      Wide(Fold(_salt, _pongs.u32()), _shift))

  fun _final() =>
    _self.leave()

actor Pong
  """
  Answers each `ping`.
  """
  let _shift: U64 // as ping's
  embed _self: Self
  var _ping: (Ping | None) = None
  var _pings: U32 = 0

  new create(shift: U64, world: World) =>
    _shift = shift
    _self = Self(Names(Classes.pong()), world)

  be meet(ping': Ping) =>
    _ping = ping'
    _self.ready()

  be ping(sender: Name, left: U32, value: U64) =>
    _self.took(sender, Kinds.pong_ping(), left.u64(), value)
    let answer = Wide(Fold((value >> _shift).u32(), _pings), _shift)
    match _ping
    | let ping': Ping => ping'.pong(_self.name, left, answer)
    end
    _pings = _pings + 1
    if left == 0 then
      _ping = None
      _self.let_go()
    end

  fun _final() =>
    _self.leave()
