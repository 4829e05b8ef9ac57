use "collections"
use "time"

actor Poker
  """
  Sets the scene, starts every turn and ends the iteration.
  """
  let _stage: ChatAppStage
  let _parameters: ChatAppParameters
  embed _role: Role
  embed _directories: Array[Directory]
  embed _started: Array[U64] = _started.create()
  var _settling: U64
  var _confirms: U64 = 0
  var _running: Bool = false
  var _online: U64
  var _sums: Sums = NoSums()

  new create(
    stage: ChatAppStage,
    parameters: ChatAppParameters,
    world: World)
  =>
    _stage = stage
    _parameters = parameters
    _role = Role.crew(Names.poker(), world)
    _directories = Array[Directory](parameters.directories.usize())
    _settling = parameters.directories
    _online = parameters.directories

  be prepare(sender: Name) =>
    _role.log(sender, PokerTakes.prepare())
    let lcg = Lcg(_parameters.seed)
    for index in Range[U64](0, _parameters.directories) do
      _directories.push(
        Directory(index, lcg.next(), this, _parameters, _role.world()))
    end
    try
      for client in Range[U64](0, _parameters.clients) do
        _directory_of(client)?.login(Names.poker(), client)
      end
    else
      _failed("has no directory for a client")
    end
    for directory in _directories.values() do
      if _parameters.befriend > 0 then directory.befriend(Names.poker()) end
      directory.settle(Names.poker())
    end

  be settled(sender: Name) =>
    _role.log(sender, PokerTakes.settled())
    _settling = _settling - 1
    if _settling == 0 then _stage.ready() end

  be act(sender: Name, client: U64, choice: Choice, index: U64, k: U64) =>
    _role.log(sender, PokerTakes.act(), client, choice.number(), index, k)
    (let turn', let accumulator) = _next_turn(1)
    try
      _directory_of(client)?.act(
        Names.poker(), turn', client, choice, index, k, accumulator)
    else
      _failed("has no directory for a client")
    end

  be turn(sender: Name) =>
    _role.log(sender, PokerTakes.turn())
    _turn()

  be run(sender: Name) =>
    _role.log(sender, PokerTakes.run())
    _running = true
    for _ in Range[U64](0, _parameters.turns) do
      _turn()
    end

  fun ref _turn() =>
    (let turn', let accumulator) = _next_turn(_parameters.clients)
    for directory in _directories.values() do
      directory.poke(Names.poker(), turn', accumulator)
    end

  fun ref _next_turn(expected: U64): (U64, Accumulator) =>
    let turn' = _started.size().u64()
    _started.push(Time.nanos())
    (turn', Accumulator(turn', expected, this, _role.world()))

  fun _directory_of(client: U64): Directory ? =>
    _directories((client % _parameters.directories).usize())?

  fun _failed(reason: String) =>
    _stage.failed(Names.poker(), reason)

  be confirm(sender: Name, turn': U64, value: U64) =>
    _role.log(sender, PokerTakes.confirm(), turn', value)
    let ended = Time.nanos()
    _confirms = _confirms + 1
    try
      let started = _started(turn'.usize())?
      _stage.confirmed(turn', value, started, ended)
    else
      _failed("is told of a turn it never began")
    end
    if _running and (_confirms == _parameters.turns) then _disconnect() end

  be disconnect(sender: Name) =>
    _role.log(sender, PokerTakes.disconnect())
    _disconnect()

  fun _disconnect() =>
    for directory in _directories.values() do
      directory.disconnect(Names.poker())
    end

  be finished(sender: Name, sums: Sums) =>
    _role.log.sums(sender, PokerTakes.finished(), sums)
    _sums = AddSums(_sums, sums)
    _online = _online - 1
    if _online == 0 then
      _stage.finished(_sums)
      _directories.clear()
      Collect()
    end

  be abandon() =>
    for directory in _directories.values() do
      directory.abandon()
    end
    _directories.clear()
    Collect()

  fun _final() =>
    _role.leave_crew()
