actor Client
  """
  Has friends, takes part in chats, and acts once a turn.
  """
  let _number: U64
  let _directory: Directory
  let _parameters: ChatAppParameters
  embed _role: Role
  embed _lcg: Lcg
  embed _friends: Array[Person] = _friends.create()
  embed _chats: Array[Chat] = _chats.create()
  var _created: U64 = 0
  var _posted: U64 = 0
  var _leaving: USize = 0
  var _computes: U64 = 0
  var _posts: U64 = 0
  var _leaves: U64 = 0
  var _invites: U64 = 0
  var _nones: U64 = 0
  var _deliveries: U64 = 0
  var _joins: U64 = 0

  new create(
    number: U64,
    directory: Directory,
    seed: U64,
    parameters: ChatAppParameters,
    world: World)
  =>
    _number = number
    _directory = directory
    _parameters = parameters
    _role = Role(Names.client(number), world)
    _lcg = Lcg(seed)

  be befriend(sender: Name, number: U64, friend: Client) =>
    _role.log(sender, ClientTakes.befriend(), number)
    _friends.push((number, friend))

  be settle(sender: Name) =>
    _role.log(sender, ClientTakes.settle())
    _directory.settled(_role.name)

  be act(
    sender: Name,
    turn: U64,
    choice: Choice,
    index: U64,
    k: U64,
    accumulator: Accumulator)
  =>
    _role.log(sender, ClientTakes.act(), turn, choice.number(), index, k)
    if _role.abandoned() then return end
    (let chosen: (Action | Join), let place: U64) =
      match choice
      | Draw =>
        let drawn = _lcg.next_int(_chats.size().u64())
        (_select(), drawn)
      | let directed: (Action | Join) =>
        (directed, index)
      end
    match chosen
    | Compute =>
      _computes = _computes + 1
      accumulator.stop(_role.name, 0, Fibonacci(_parameters.fib_n).u32())
    | Post =>
      _posts = _posts + 1
      _post(turn, place, accumulator)
    | Leave =>
      _leaves = _leaves + 1
      _leave(turn, place, accumulator)
    | Invite =>
      _invites = _invites + 1
      _invite(turn, if choice is Draw then None else k end, accumulator)
    | Idle =>
      _nones = _nones + 1
      accumulator.stop(_role.name, 0, 0)
    | Join =>
      _join(turn, place, k, accumulator)
    end

  fun ref _select(): Action =>
    let p = _parameters
    match p.selection
    | Cascade =>
      if _lcg.next_int(100) < p.compute then return Compute end
      if _lcg.next_int(100) < p.post then return Post end
      if _lcg.next_int(100) < p.leave then return Leave end
      if _lcg.next_int(100) < p.invite then return Invite end
    | Cumulative =>
      let draw = _lcg.next_int(100)
      var limit = p.compute
      if draw < limit then return Compute end
      limit = limit + p.post
      if draw < limit then return Post end
      limit = limit + p.leave
      if draw < limit then return Leave end
      limit = limit + p.invite
      if draw < limit then return Invite end
    end
    Idle

  fun ref _post(turn: U64, place: U64, accumulator: Accumulator) =>
    match _chat_at(place)
    | let chat: Chat => chat.post(_role.name, turn, _payload(), accumulator)
    | None => accumulator.stop(_role.name, 0, 0)
    end

  fun _chat_at(place: U64): (Chat | None) =>
    """
    Clients often have none, and raising an error unwinds the stack, which takes
    as long as ten messages. So it is not left to the array to find out.
    """
    let place' = place.usize()
    if place' < _chats.size() then try _chats(place')? end end

  fun ref _payload(): U64 =>
    (_number << 32) or (_posted = _posted + 1)

  fun ref _leave(turn: U64, place: U64, accumulator: Accumulator) =>
    match _chat_at(place)
    | let chat: Chat =>
      _chats.remove(place.usize(), 1)
      chat.leave(_role.name, turn, accumulator)
    | None =>
      accumulator.stop(_role.name, 0, 0)
    end

  fun ref _invite(turn: U64, k: (U64 | None), accumulator: Accumulator) =>
    if _friends.size() == 0 then
      accumulator.stop(_role.name, 0, 0)
      return
    end
    let wanted =
      match k
      | None =>
        try
          _lcg.shuffle[Person](_friends)?
        else
          _role.failed("cannot shuffle its friends")
        end
        _lcg.next_int(_friends.size().u64())
      | let directed: U64 =>
        directed
      end
    let guests = wanted.max(1).min(_friends.size().u64())
    let name = Names.chat(_number, _created = _created + 1)
    let chat = Chat(name, (_number, this), _parameters.history, _role.world())
    _chats.push(chat)
    accumulator.bump(_role.name, 0, guests.u32())
    var invited: U64 = 0
    for (number, friend) in _friends.values() do
      if invited == guests then break end
      chat.join(_role.name, turn, number, friend, accumulator)
      invited = invited + 1
    end

  fun _join(turn: U64, place: U64, k: U64, accumulator: Accumulator) =>
    try
      let chat = _chats(place.usize())?
      (let number, let friend) = _friends(k.usize())?
      accumulator.bump(_role.name, 0, 1)
      chat.join(_role.name, turn, number, friend, accumulator)
    else // no chat or no friend there
      accumulator.stop(_role.name, 0, 0)
    end

  be forward(
    sender: Name,
    turn: U64,
    level: U64,
    payload: U64,
    accumulator: Accumulator)
  =>
    _role.log(sender, ClientTakes.forward(), turn, level, payload)
    _deliveries = _deliveries + 1
    accumulator.stop(_role.name, level.u32(), 0)

  be accepted(
    sender: Name,
    turn: U64,
    level: U64,
    chat: Chat,
    accumulator: Accumulator)
  =>
    _role.log(sender, ClientTakes.accepted(), turn, level)
    _joins = _joins + 1
    // An abandoned client has dropped its chats and must not pick up another.
    if not _role.ended then _chats.push(chat) end
    accumulator.stop(_role.name, level.u32(), 0)

  be left(sender: Name, turn: U64, accumulator: (Accumulator | None)) =>
    _role.log(sender, ClientTakes.left(), turn)
    match accumulator
    | let accumulator': Accumulator =>
      accumulator'.stop(_role.name, 0, 0)
    | None =>
      _leaving = _leaving - 1
      if _leaving == 0 then _report() end
    end

  be logout(sender: Name) =>
    _role.log(sender, ClientTakes.logout())
    _leaving = _chats.size()
    for chat in _chats.values() do
      chat.leave(_role.name, Logout(), None)
    end
    if _leaving == 0 then _report() end

  fun ref _report() =>
    _directory.left(
      _role.name,
      ( _lcg.state, _computes, _posts, _leaves, _invites, _nones
      , _deliveries, _joins ))
    _terminate()

  be abandon() =>
    for chat in _chats.values() do
      chat.abandon()
    end
    _terminate()

  fun ref _terminate() =>
    _friends.clear()
    _chats.clear()
    _role.let_go()

  fun _final() =>
    _role.leave()
