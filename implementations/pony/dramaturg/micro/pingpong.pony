use "../actor"
use "../arithmetic"
use "../world"

// Ping-pong (spec/pingpong.md): two actors, two messages a round.

primitive PingPong
  fun apply(parameters: Parameters, world: World): Lead =>
    let rounds = parameters.number("rounds")
    let form = WindowedForm(parameters)
    let pong = Pong(world)
    let ping = Ping(form, pong, world)
    pong.meet(ping)
    object val is Lead
      fun births(): U64 => 2
      fun receipt(): Array[String] val => ["pongs"; "sum"]
      fun marks(): U64 => form.windows
      fun run(salt: U32) => ping.start(Names.control(), rounds, salt)
    end

actor Ping is Windowed
  """
  Sends `ping`, takes `pong`, until none are left.
  """
  let _pong: Pong
  embed _self: Self
  embed _windows: Windows
  var _windowed: Bool
  var _salt: U32 = 0
  var _pongs: U64 = 0
  var _sum: U32 = 0

  new create(form: WindowedForm, pong': Pong, world: World) =>
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

  be pong(sender: Name, left: U32, value: U32) =>
    _self.took(sender, Kinds.ping_pong(), left.u64(), value.u64())
    _pongs = _pongs + 1
    _sum = _sum + value
    if left > 0 then
      _ping(left)
    else
      _self.control.done(Stopwatch.stop(), _pongs, _sum.u64())
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
      Fold(_salt, _pongs.u32()))

  fun _final() =>
    _self.leave()

actor Pong
  """
  Answers each `ping`.
  """
  embed _self: Self
  var _ping: (Ping | None) = None
  var _pings: U32 = 0

  new create(world: World) =>
    _self = Self(Names(Classes.pong()), world)

  be meet(ping': Ping) =>
    _ping = ping'
    _self.ready()

  be ping(sender: Name, left: U32, value: U32) =>
    _self.took(sender, Kinds.pong_ping(), left.u64(), value.u64())
    match _ping
    | let ping': Ping => ping'.pong(_self.name, left, Fold(value, _pings))
    end
    _pings = _pings + 1
    if left == 0 then
      _ping = None
      _self.let_go()
    end

  fun _final() =>
    _self.leave()
