use "time"

// Ping-pong (spec/pingpong.md): two actors, two messages a round.

actor Ping
  """
  Sends `ping`, takes `pong`, until none are left.
  """
  let _peer: Pong
  let _stage: PingPongStage
  let _world: World
  embed _log: ReceiveLog
  var _pongs: U64 = 0
  var _started: U64 = 0
  var _ended: Bool = false

  new create(peer: Pong, stage: PingPongStage, world: World) =>
    _peer = peer
    _stage = stage
    _world = world
    _log = ReceiveLog(Names.ping(), world.trace)
    world.players.enter()

  be start(sender: Name, rounds: U64) =>
    _log(sender, PingTakes.start(), rounds)
    _started = Time.nanos()
    _peer.ping(Names.ping(), rounds - 1, this)

  be pong(sender: Name, left: U64) =>
    _log(sender, PingTakes.pong(), left)
    _pongs = _pongs + 1
    if left == 0 then
      _stage.played(_pongs, _started, Time.nanos())
      _terminate()
    elseif not _ended then
      _peer.ping(Names.ping(), left - 1, this)
    end

  be progress() =>
    """
    Asked for by the control port, twice a second.
    """
    _stage.progressed(_pongs)

  be abandon() =>
    _peer.abandon()
    _terminate()

  fun ref _terminate() =>
    _ended = true
    Collect()

  fun _final() =>
    if _ended then _world.players.leave() end

actor Pong
  """
  Answers each `ping` with what it carried.
  """
  let _stage: PingPongStage
  let _world: World
  embed _log: ReceiveLog
  var _pings: U64 = 0
  var _ended: Bool = false

  new create(stage: PingPongStage, world: World) =>
    _stage = stage
    _world = world
    _log = ReceiveLog(Names.pong(), world.trace)
    world.players.enter()

  be ping(sender: Name, left: U64, ping': Ping) =>
    _log(sender, PongTakes.ping(), left)
    _pings = _pings + 1
    ping'.pong(Names.pong(), left)
    if left == 0 then
      _stage.answered(_pings)
      _terminate()
    end

  be abandon() =>
    _terminate()

  fun ref _terminate() =>
    _ended = true
    Collect()

  fun _final() =>
    if _ended then _world.players.leave() end
