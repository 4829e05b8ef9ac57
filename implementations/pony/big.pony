use "collections"
use "time"

// Big (spec/big.md): every peer pings every other, the next one upon the last
// one's pong.

class val Big is Piece
  """
  Peers, at least 2, and how often each pings all others, or for how many
  windows.
  """
  let peers: U64
  let rounds: U64
  let form: WindowedForm
  let _refusal: (Refusal | None)

  new val create(request: JsonObject) =>
    let fields = Fields(request)
    peers = fields.number("peers", 2, 1 << 20)
    form = fields.windowed()
    rounds = fields.rounds(form)
    _refusal = fields.refusal

  fun name(): String => "big"

  fun refusal(): (Refusal | None) => _refusal

  fun receipt(done: Done): Array[(String, U64)] =>
    [("pings", done._1); ("pongs", done._2)]

  fun val cast(stage: MicroStage, world: World): Opening =>
    let coordinator = Coordinator(this, stage, world)
    (peers + 1, coordinator, {() => coordinator.start(Names.control()) })

actor Coordinator is (Lead & Windowed)
  """
  Starts the peers and waits for them.
  """
  let _piece: Big
  let _stage: MicroStage
  embed _role: Role
  var _peers: Array[Peer] val = []
  var _playing: U64
  var _pings: U64 = 0
  var _pongs: U64 = 0
  embed _windows: Windows
  embed _marks: Map[U64, (U64, U64)] = _marks.create()
  var _waiting: U64

  new create(piece: Big, stage: MicroStage, world: World) =>
    _piece = piece
    _stage = stage
    _role = Role(Names.coordinator(), world)
    _playing = piece.peers
    _windows = Windows(stage, piece.form, this, Names.coordinator())
    _waiting = piece.peers
    let total = piece.rounds * (piece.peers - 1)
    let peers: Array[Peer] iso = recover Array[Peer](piece.peers.usize()) end
    for index in Range[U64](0, piece.peers) do
      peers.push(Peer(index, total, piece.form.windows, this, world))
    end
    _peers = consume peers
    for peer in _peers.values() do
      peer.meet(_peers)
    end
    _role.ready()

  be start(sender: Name) =>
    _role.log(sender, CoordinatorTakes.start())
    _stage.started(Time.nanos())
    _windows.open()
    for peer in _peers.values() do
      peer.go(_role.name)
    end

  be tick(sender: Name, number: U64) =>
    _role.log(sender, CoordinatorTakes.tick(), number)
    if _role.ended then return end
    for peer in _peers.values() do
      peer.mark(_role.name, number)
    end
    _windows.next(number)

  be marked(sender: Name, number: U64, pongs: U64) =>
    _role.log(sender, CoordinatorTakes.marked(), number, pongs)
    (let marks, let sum) = _marks.get_or_else(number, (0, 0))
    if (marks + 1) == _piece.peers then
      _windows.report(number, sum + pongs)
      try _marks.remove(number)? end
    else
      _marks(number) = (marks + 1, sum + pongs)
    end

  be idle(sender: Name) =>
    _role.log(sender, CoordinatorTakes.idle())
    _waiting = _waiting - 1
    if _waiting == 0 then
      for peer in _peers.values() do
        peer.stop(_role.name)
      end
    end

  be finished(sender: Name, pings: U64, pongs: U64) =>
    _role.log(sender, CoordinatorTakes.finished(), pings, pongs)
    _pings = _pings + pings
    _pongs = _pongs + pongs
    _playing = _playing - 1
    if _playing == 0 then
      _stage.done(Time.nanos(), _pings, _pongs)
      _terminate()
    end

  be abandon() =>
    _windows.close()
    for peer in _peers.values() do
      peer.abandon()
    end
    _terminate()

  fun ref _terminate() =>
    _peers = []
    _role.let_go()

  fun _final() =>
    _role.leave()

actor Peer
  """
  Pings its neighbours in turn, starting with the next one.
  """
  let _index: U64
  let _total: U64
  let _windows: U64
  let _coordinator: Coordinator
  embed _role: Role
  var _peers: Array[Peer] val = []
  var _pings: U64 = 0
  var _pongs: U64 = 0
  var _marked: U64 = 0
  var _pinging: Bool = true

  new create(
    index: U64,
    total: U64,
    windows: U64,
    coordinator: Coordinator,
    world: World)
  =>
    _index = index
    _total = total
    _windows = windows
    _coordinator = coordinator
    _role = Role(Names.peer(index), world)

  be meet(peers: Array[Peer] val) =>
    _peers = peers
    _role.ready()

  be go(sender: Name) =>
    _role.log(sender, PeerTakes.go())
    _ping()

  be ping(sender: Name, round: U32) =>
    _role.log(sender, PeerTakes.ping(), round.u64())
    if _role.ended then return end
    _pings = _pings + 1
    try
      _peers(Names.index_of(sender).usize())?.pong(_role.name, round)
    else
      _role.unknown(sender)
    end
    if _windows == 0 then _end_when_done() end

  be pong(sender: Name, round: U32) =>
    _role.log(sender, PeerTakes.pong(), round.u64())
    if _role.ended then return end
    _pongs = _pongs + 1
    if _windows > 0 then
      if _pinging then _ping() else _coordinator.idle(_role.name) end
      return
    end
    if _pongs < _total then _ping() end
    _end_when_done()

  be mark(sender: Name, number: U64) =>
    _role.log(sender, PeerTakes.mark(), number)
    _coordinator.marked(_role.name, number, _pongs - (_marked = _pongs))
    _pinging = (number + 1) < _windows

  be stop(sender: Name) =>
    _role.log(sender, PeerTakes.stop())
    _finish()

  fun _ping() =>
    let others = _peers.size().u64() - 1
    (let round, let place) = _pongs.divrem(others)
    let target = (_index + 1 + place) % (others + 1)
    try
      _peers(target.usize())?.ping(_role.name, round.u32())
    else
      _role.unknown(Names.peer(target))
    end

  fun ref _end_when_done() =>
    if (_pings == _total) and (_pongs == _total) then _finish() end

  fun ref _finish() =>
    _coordinator.finished(_role.name, _pings, _pongs)
    _terminate()

  be abandon() =>
    _terminate()

  fun ref _terminate() =>
    _peers = []
    _role.let_go()

  fun _final() =>
    _role.leave()
