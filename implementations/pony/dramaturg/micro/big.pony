use "collections"
use "../actor"
use "../arithmetic"
use "../world"

// Big (spec/big.md): every peer pings every other, the next one upon the last
// one's pong.

primitive Big
  fun apply(parameters: Parameters, world: World): Lead =>
    let peers = parameters.number("peers")
    let form = WindowedForm(parameters)
    let coordinator =
      Coordinator(peers, parameters.number("rounds"), form, world)
    object val is Lead
      fun births(): U64 => peers.u64() + 1
      fun marks(): U64 => form.windows
      fun run(salt: U32) => coordinator.start(Names.control(), salt)
    end

actor Coordinator is Windowed
  """
  Starts the peers and waits for them.
  """
  embed _self: Self
  embed _windows: Windows
  embed _marks: Map[U32, (U32, U64)] = _marks.create()
  var _peers: Array[Peer] val
  var _waiting: U32
  var _busy: U32
  var _pings: U64 = 0
  var _pongs: U64 = 0
  var _given: U32 = 0
  var _taken: U32 = 0

  new create(peers: U32, rounds: U32, form: WindowedForm, world: World) =>
    _self = Self(Names(Classes.coordinator()), world)
    _windows = Windows(form, this, _self.name, _self.control)
    _waiting = peers
    _busy = peers
    let total = rounds.u64() * (peers.u64() - 1)
    let everybody = recover iso Array[Peer](peers.usize()) end
    for index in Range[U32](0, peers) do
      everybody.push(Peer(index, total, form.windows.u32(), this, world))
    end
    _peers = consume everybody
    for peer in _peers.values() do
      peer.meet(_peers)
    end
    _self.ready()

  be start(sender: Name, salt: U32) =>
    _self.took(sender, Kinds.coordinator_start(), salt.u64())
    _windows.open()
    for peer in _peers.values() do
      peer.go(_self.name, salt)
    end

  be tick(sender: Name, number: U32) =>
    _self.took(sender, Kinds.coordinator_tick(), number.u64())
    _windows.next(number)
    for peer in _peers.values() do
      peer.mark(_self.name, number)
    end

  be marked(sender: Name, number: U32, pongs: U64) =>
    _self.took(sender, Kinds.coordinator_marked(), number.u64(), pongs)
    (let marks, let sum) = _marks.get_or_else(number, (0, 0))
    if (marks.usize() + 1) == _peers.size() then
      _windows.report(number, sum + pongs)
      try _marks.remove(number)? end
    else
      _marks(number) = (marks + 1, sum + pongs)
    end

  be idle(sender: Name) =>
    _self.took(sender, Kinds.coordinator_idle())
    _waiting = _waiting - 1
    if _waiting == 0 then
      for peer in _peers.values() do
        peer.stop(_self.name)
      end
    end

  be finished(sender: Name, pings: U64, pongs: U64, given: U32, taken: U32) =>
    _self.took(
      sender,
      Kinds.coordinator_finished(),
      pings,
      pongs,
      given.u64(),
      taken.u64())
    _pings = _pings + pings
    _pongs = _pongs + pongs
    _given = _given + given
    _taken = _taken + taken
    _busy = _busy - 1
    if _busy == 0 then
      _self.control.done(
        Stopwatch.stop(), [_pings; _pongs; _given.u64(); _taken.u64()])
      _peers = []
      _self.let_go()
    end

  fun _final() =>
    _self.leave()

actor Peer
  """
  Pings its neighbours in turn, starting with the next one.
  """
  let _index: U32
  let _total: U64
  let _windows: U32
  let _coordinator: Coordinator
  embed _self: Self
  var _peers: Array[Peer] val = []
  var _digest: U32 = 0
  var _pings: U64 = 0
  var _pongs: U64 = 0
  var _given: U32 = 0
  var _taken: U32 = 0
  var _marked: U64 = 0
  var _pinging: Bool = true

  new create(
    index: U32,
    total: U64,
    windows: U32,
    coordinator: Coordinator,
    world: World)
  =>
    _index = index
    _total = total
    _windows = windows
    _coordinator = coordinator
    _self = Self(Names(Classes.peer(), index), world)

  be meet(peers: Array[Peer] val) =>
    _peers = peers
    _self.ready()

  be go(sender: Name, salt: U32) =>
    _self.took(sender, Kinds.peer_go(), salt.u64())
    _digest = Fold(salt, _index)
    _ping()

  be ping(sender: Name, round: U32, value: U32) =>
    _self.took(sender, Kinds.peer_ping(), round.u64(), value.u64())
    _pings = _pings + 1
    let answer = Fold(value, _index)
    _given = _given + answer
    try
      _peers(Names.index_of(sender).usize())?.pong(_self.name, round, answer)
    else
      _self.unknown(sender)
    end
    if _windows == 0 then _end_when_done() end

  be pong(sender: Name, round: U32, value: U32) =>
    _self.took(sender, Kinds.peer_pong(), round.u64(), value.u64())
    _pongs = _pongs + 1
    _taken = _taken + value
    if _windows > 0 then
      if _pinging then _ping() else _coordinator.idle(_self.name) end
    else
      if _pongs < _total then _ping() end
      _end_when_done()
    end

  be mark(sender: Name, number: U32) =>
    _self.took(sender, Kinds.peer_mark(), number.u64())
    _coordinator.marked(_self.name, number, _pongs - (_marked = _pongs))
    _pinging = (number + 1) < _windows

  be stop(sender: Name) =>
    _self.took(sender, Kinds.peer_stop())
    _finish()

  fun _ping() =>
    let others = _peers.size().u64() - 1
    (let round, let place) = _pongs.divrem(others)
    let target = (_index.u64() + 1 + place) % (others + 1)
    try
      _peers(target.usize())?
        .ping(_self.name, round.u32(), Fold(_digest, round.u32()))
    else
      _self.unknown(Names(Classes.peer(), target.u32()))
    end

  fun ref _end_when_done() =>
    if (_pings == _total) and (_pongs == _total) then _finish() end

  fun ref _finish() =>
    _coordinator.finished(_self.name, _pings, _pongs, _given, _taken)
    _peers = []
    _self.let_go()

  fun _final() =>
    _self.leave()
