use "collections"
use "../actor"
use "../arithmetic"
use "../world"

actor Poker
  """
  Makes the directories, starts every turn and ends the iteration.
  """
  let _parameters: ChatAppParameters
  embed _self: Self
  embed _directories: Array[Directory]
  embed _began: Array[U64] = _began.create()
  var _settling: U32
  var _online: U32
  var _sums: Sums = (0, 0, 0, 0, 0, 0, 0, 0)

  new create(parameters: ChatAppParameters, world: World) =>
    _parameters = parameters
    _self = Self(Names(Classes.poker()), world)
    _directories = Array[Directory](parameters.directories.usize())
    _settling = parameters.directories
    _online = parameters.directories

  be prepare(sender: Name) =>
    _self.took(sender, Kinds.poker_prepare())
    let lcg = Lcg(_parameters.seed)
    for index in Range[U32](0, _parameters.directories) do
      _directories.push(
        Directory(index, lcg.next(), this, _parameters, _self.world()))
    end
    try
      for client in Range[U32](0, _parameters.clients) do
        _directory_of(client)?.login(_self.name, client)
      end
    else
      _self.failed("has no directory for a client")
    end
    for directory in _directories.values() do
      if _parameters.befriend > 0 then directory.befriend(_self.name) end
      directory.settle(_self.name)
    end

  be settled(sender: Name) =>
    _self.took(sender, Kinds.poker_settled())
    _settling = _settling - 1
    if _settling == 0 then _self.ready() end

  be act(sender: Name, client: U32, choice: U32, index: U32, k: U32) =>
    _self.took(
      sender,
      Kinds.poker_act(),
      client.u64(),
      choice.u64(),
      index.u64(),
      k.u64())
    (let turn', let accumulator) = _next_turn(1)
    try
      _directory_of(client)?.act(
        _self.name, turn', client, Choices(choice), index, k, accumulator)
    else
      _self.failed("has no directory for a client")
    end

  be turn(sender: Name) =>
    _self.took(sender, Kinds.poker_turn())
    _turn(0)

  be run(sender: Name, salt: U32) =>
    _self.took(sender, Kinds.poker_run(), salt.u64())
    for _ in Range[U32](0, _parameters.turns) do
      _turn(salt)
    end

  fun ref _turn(salt: U32) =>
    (let turn', let accumulator) = _next_turn(_parameters.clients)
    for directory in _directories.values() do
      directory.poke(_self.name, turn', salt, accumulator)
    end

  fun ref _next_turn(expected: U32): (U32, Accumulator) =>
    let turn' = _began.size().u32()
    _began.push(Stopwatch.now())
    (turn', Accumulator(turn', expected, this, _self.world()))

  fun _directory_of(client: U32): Directory ? =>
    _directories((client % _parameters.directories).usize())?

  be confirm(sender: Name, turn': U32, sums: TurnSums) =>
    let ended = Stopwatch.stop()
    (let value, let stops, let announced, let consumed) = sums
    _self.took(
      sender,
      Kinds.poker_confirm(),
      turn'.u64(),
      value,
      stops,
      announced.u64(),
      consumed.u64())
    try
      let began = _began(turn'.usize())?
      _self.control.confirmed(turn', sums, began, ended)
    else
      _self.failed("is told of a turn it never began")
    end

  be disconnect(sender: Name) =>
    _self.took(sender, Kinds.poker_disconnect())
    for directory in _directories.values() do
      directory.disconnect(_self.name)
    end

  be finished(sender: Name, sums: Sums) =>
    _self.took_all(sender, Kinds.poker_finished(), sums)
    _sums = AddSums(_sums, sums)
    _online = _online - 1
    if _online == 0 then
      _self.control.finished(_sums)
      _directories.clear()
      _self.let_go()
    end

  fun _final() =>
    _self.leave()
