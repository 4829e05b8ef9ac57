use "../actor"
use "../arithmetic"
use "../world"

actor Directory
  """
  Creates its clients, makes them friends, and passes the poker's word on.
  """
  let _poker: Poker
  let _parameters: ChatAppParameters
  embed _self: Self
  embed _lcg: Lcg
  embed _clients: Array[Person] = _clients.create()
  var _settling: USize = 0
  var _online: USize = 0
  var _sums: Sums = (0, 0, 0, 0, 0, 0, 0, 0)

  new create(
    index: U32,
    seed: U32,
    poker: Poker,
    parameters: ChatAppParameters,
    world: World)
  =>
    _poker = poker
    _parameters = parameters
    _self = Self(Names(Classes.directory(), index), world)
    _lcg = Lcg(seed)

  be login(sender: Name, client: U32) =>
    _self.took(sender, Kinds.directory_login(), client.u64())
    _clients.push(
      (client, Client(client, this, _lcg.next(), _parameters, _self.world())))

  be befriend(sender: Name) =>
    _self.took(sender, Kinds.directory_befriend())
    for (number, friend) in _clients.values() do
      var befriended = false
      while not befriended do
        for (number', client) in _clients.values() do
          if
            (_lcg.next_int(100) < _parameters.befriend)
              and (client isnt friend)
          then
            client.befriend(_self.name, number, friend)
            friend.befriend(_self.name, number', client)
            befriended = true
          end
        end
      end
    end

  be settle(sender: Name) =>
    _self.took(sender, Kinds.directory_settle())
    _settling = _clients.size()
    for (_, client) in _clients.values() do
      client.settle(_self.name)
    end

  be settled(sender: Name) =>
    _self.took(sender, Kinds.directory_settled())
    _settling = _settling - 1
    if _settling == 0 then _poker.settled(_self.name) end

  be poke(sender: Name, turn: U32, salt: U32, accumulator: Accumulator) =>
    _self.took(sender, Kinds.directory_poke(), turn.u64(), salt.u64())
    for (_, client) in _clients.values() do
      client.act(_self.name, turn, Draw, 0, 0, salt, accumulator)
    end

  be act(
    sender: Name,
    turn: U32,
    client: U32,
    choice: Choice,
    index: U32,
    k: U32,
    accumulator: Accumulator)
  =>
    _self.took(
      sender,
      Kinds.directory_act(),
      turn.u64(),
      client.u64(),
      choice.number().u64(),
      index.u64(),
      k.u64())
    try
      // Clients log in by turns, so the nth of them has this place here.
      let place = client / _parameters.directories
      (_, let actor') = _clients(place.usize())?
      actor'.act(_self.name, turn, choice, index, k, 0, accumulator)
    else
      _self.failed("has no client " + client.string())
    end

  be disconnect(sender: Name) =>
    _self.took(sender, Kinds.directory_disconnect())
    _online = _clients.size()
    for (_, client) in _clients.values() do
      client.logout(_self.name)
    end

  be left(sender: Name, sums: Sums) =>
    _self.took_all(sender, Kinds.directory_left(), sums)
    _sums = AddSums(_sums, sums)
    _online = _online - 1
    if _online == 0 then
      _poker.finished(_self.name, _sums)
      _clients.clear()
      _self.let_go()
    end

  fun _final() =>
    _self.leave()
