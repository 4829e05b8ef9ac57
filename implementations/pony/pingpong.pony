use "time"

// Ping-pong (spec/pingpong.md): two actors, two messages a round.

class val PingPong is Piece
  """
  Rounds of one iteration, or windows.
  """
  let rounds: U64
  let form: WindowedForm
  let _refusal: (Refusal | None)

  new val create(request: JsonObject) =>
    let fields = Fields(request)
    form = fields.windowed()
    rounds = fields.rounds(form)
    _refusal = fields.refusal

  fun name(): String => "pingpong"

  fun refusal(): (Refusal | None) => _refusal

  fun receipt(done: Done): Array[(String, U64)] =>
    [("pings", done._2); ("pongs", done._1)]

  fun val cast(stage: MicroStage, world: World): Opening =>
    let pong = Pong(stage, world)
    let ping = Ping(this, pong, stage, world)
    pong.meet(ping)
    (2, ping, {() => ping.start(Names.control(), rounds.u32()) })

actor Ping is (Lead & Windowed)
  """
  Sends `ping`, takes `pong`, until none are left.
  """
  let _peer: Pong
  let _stage: MicroStage
  embed _role: Role
  var _pongs: U64 = 0
  var _windowed: Bool
  embed _windows: Windows

  new create(piece: PingPong, peer: Pong, stage: MicroStage, world: World) =>
    _peer = peer
    _stage = stage
    _role = Role(Names.ping(), world)
    _windowed = piece.form.windows > 0
    _windows = Windows(stage, piece.form, this, Names.ping())
    _role.ready()

  be start(sender: Name, rounds: U32) =>
    _role.log(sender, PingTakes.start(), rounds.u64())
    _stage.started(Time.nanos())
    _windows.open()
    _ping(if _windowed then 1 else rounds - 1 end)

  be pong(sender: Name, left: U32) =>
    _role.log(sender, PingTakes.pong(), left.u64())
    _pongs = _pongs + 1
    if _role.ended then return end
    if left > 0 then
      _ping(if _windowed then 1 else left - 1 end)
    else
      _stage.done(Time.nanos(), _pongs)
      _role.terminate()
    end

  be tick(sender: Name, number: U64) =>
    _role.log(sender, PingTakes.tick(), number)
    if _role.ended then return end
    _windowed = _windows.next(number)
    _windows.report(number, _windows.since(_pongs))

  fun _ping(left: U32) =>
    _peer.ping(_role.name, left)

  be abandon() =>
    _peer.abandon()
    _windows.close()
    _role.terminate()

  fun _final() =>
    _role.leave()

actor Pong
  """
  Answers each `ping` with what it carried.
  """
  let _stage: MicroStage
  embed _role: Role
  var _ping: (Ping | None) = None
  var _pings: U64 = 0

  new create(stage: MicroStage, world: World) =>
    _stage = stage
    _role = Role(Names.pong(), world)

  be meet(ping': Ping) =>
    _ping = ping'
    _role.ready()

  be ping(sender: Name, left: U32) =>
    _role.log(sender, PongTakes.ping(), left.u64())
    _pings = _pings + 1
    if left == 0 then _stage.aside(_pings) end
    match _ping
    | let ping': Ping => ping'.pong(_role.name, left)
    end
    if left == 0 then _terminate() end

  be abandon() =>
    _terminate()

  fun ref _terminate() =>
    _ping = None
    _role.let_go()

  fun _final() =>
    _role.leave()
