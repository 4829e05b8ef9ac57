use "../actor"
use "../arithmetic"
use "../world"

actor Client
  """
  Has friends, takes part in chats, and acts once a turn.
  """
  let _number: U32
  let _directory: Directory
  let _parameters: ChatAppParameters
  embed _self: Self
  embed _lcg: Lcg
  embed _friends: Array[Person] = _friends.create()
  embed _chats: Array[Chat] = _chats.create()
  var _created: U32 = 0
  var _posted: U32 = 0
  var _leaving: USize = 0
  var _computes: U64 = 0
  var _posts: U64 = 0
  var _leaves: U64 = 0
  var _invites: U64 = 0
  var _nones: U64 = 0
  var _deliveries: U64 = 0
  var _joins: U64 = 0

  new create(
    number: U32,
    directory: Directory,
    seed: U32,
    parameters: ChatAppParameters,
    world: World)
  =>
    _number = number
    _directory = directory
    _parameters = parameters
    _self = Self(Names(Classes.client(), number), world)
    _lcg = Lcg(seed)

  be befriend(sender: Name, number: U32, friend: Client) =>
    _self.took(sender, Kinds.client_befriend(), number.u64())
    _friends.push((number, friend))

  be settle(sender: Name) =>
    _self.took(sender, Kinds.client_settle())
    _directory.settled(_self.name)

  be act(
    sender: Name,
    turn: U32,
    choice: Choice,
    index: U32,
    k: U32,
    salt: U32,
    accumulator: Accumulator)
  =>
    _self.took(
      sender,
      Kinds.client_act(),
      turn.u64(),
      choice.number().u64(),
      index.u64(),
      k.u64(),
      salt.u64())
    (let chosen: (Action | Join), let place: U32) =
      match choice
      | Draw =>
        let drawn = _lcg.next_int(_chats.size().u32())
        (_select(), drawn)
      | let directed: (Action | Join) =>
        (directed, index)
      end
    match chosen
    | Compute =>
      _computes = _computes + 1
      accumulator.stop(_self.name, 0, Fibonacci(_parameters.fib_n).u32())
    | Post =>
      _posts = _posts + 1
      _post(turn, place, salt, accumulator)
    | Leave =>
      _leaves = _leaves + 1
      _leave(turn, place, accumulator)
    | Invite =>
      _invites = _invites + 1
      _invite(turn, if choice is Draw then None else k end, accumulator)
    | Idle =>
      _nones = _nones + 1
      accumulator.stop(_self.name, 0, 0)
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

  fun ref _post(turn: U32, place: U32, salt: U32, accumulator: Accumulator) =>
    match _chat_at(place)
    | let chat: Chat =>
      chat.post(_self.name, turn, _payload(salt), accumulator)
    | None =>
      accumulator.stop(_self.name, 0, 0)
    end

  fun _chat_at(place: U32): (Chat | None) =>
    """
    Clients often have none, and raising an error unwinds the stack, which takes
    as long as ten messages. So it is not left to the array to find out.
    """
    let place' = place.usize()
    if place' < _chats.size() then try _chats(place')? end end

  fun ref _payload(salt: U32): U64 =>
    let posted = _posted = _posted + 1
    (_number.u64() << 32) or (salt + posted).u64()

  fun ref _leave(turn: U32, place: U32, accumulator: Accumulator) =>
    match _chat_at(place)
    | let chat: Chat =>
      _chats.remove(place.usize(), 1)
      chat.leave(_self.name, turn, accumulator)
    | None =>
      accumulator.stop(_self.name, 0, 0)
    end

  fun ref _invite(turn: U32, k: (U32 | None), accumulator: Accumulator) =>
    if _friends.size() == 0 then
      accumulator.stop(_self.name, 0, 0)
      return
    end
    let wanted =
      match k
      | None =>
        try
          _lcg.shuffle[Person](_friends)?
        else
          _self.failed("cannot shuffle its friends")
        end
        _lcg.next_int(_friends.size().u32())
      | let directed: U32 =>
        directed
      end
    let guests = wanted.max(1).min(_friends.size().u32())
    let name = Names(Classes.chat(), _number, _created = _created + 1)
    let chat = Chat(name, (_number, this), _parameters.history, _self.world())
    _chats.push(chat)
    accumulator.bump(_self.name, 0, guests, 0)
    var invited: U32 = 0
    for (number, friend) in _friends.values() do
      if invited == guests then break end
      chat.join(_self.name, turn, number, friend, accumulator)
      invited = invited + 1
    end

  fun _join(turn: U32, place: U32, k: U32, accumulator: Accumulator) =>
    try
      let chat = _chats(place.usize())?
      (let number, let friend) = _friends(k.usize())?
      accumulator.bump(_self.name, 0, 1, 0)
      chat.join(_self.name, turn, number, friend, accumulator)
    else // no chat or no friend there
      accumulator.stop(_self.name, 0, 0)
    end

  be forward(
    sender: Name,
    turn: U32,
    level: U32,
    payload: U64,
    accumulator: Accumulator)
  =>
    _self.took(
      sender, Kinds.client_forward(), turn.u64(), level.u64(), payload)
    _deliveries = _deliveries + 1
    accumulator.stop(_self.name, level, Digest(payload))

  be accepted(
    sender: Name,
    turn: U32,
    level: U32,
    chat: Chat,
    accumulator: Accumulator)
  =>
    _self.took(sender, Kinds.client_accepted(), turn.u64(), level.u64())
    _joins = _joins + 1
    _chats.push(chat)
    accumulator.stop(_self.name, level, 0)

  be left(sender: Name, turn: U32, accumulator: (Accumulator | None)) =>
    _self.took(sender, Kinds.client_left(), turn.u64())
    match accumulator
    | let accumulator': Accumulator =>
      accumulator'.stop(_self.name, 0, 0)
    | None =>
      _leaving = _leaving - 1
      if _leaving == 0 then _report() end
    end

  be logout(sender: Name) =>
    _self.took(sender, Kinds.client_logout())
    _leaving = _chats.size()
    for chat in _chats.values() do
      chat.leave(_self.name, Logout(), None)
    end
    if _leaving == 0 then _report() end

  fun ref _report() =>
    _directory.left(
      _self.name,
      ( _lcg.state.u64(), _computes, _posts, _leaves, _invites, _nones
      , _deliveries, _joins ))
    _friends.clear()
    _chats.clear()
    _self.let_go()

  fun _final() =>
    _self.leave()
