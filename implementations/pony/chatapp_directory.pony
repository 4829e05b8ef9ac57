actor Directory
  """
  Creates its clients, makes them friends, and passes the poker's word on.
  """
  let _poker: Poker
  let _parameters: ChatAppParameters
  embed _role: Role
  embed _lcg: Lcg
  embed _clients: Array[Person] = _clients.create()
  var _settling: USize = 0
  var _online: USize = 0
  var _sums: Sums = NoSums()

  new create(
    index: U64,
    seed: U64,
    poker: Poker,
    parameters: ChatAppParameters,
    world: World)
  =>
    _poker = poker
    _parameters = parameters
    _role = Role.crew(Names.directory(index), world)
    _lcg = Lcg(seed)

  be login(sender: Name, client: U64) =>
    _role.log(sender, DirectoryTakes.login(), client)
    _clients.push(
      (client, Client(client, this, _lcg.next(), _parameters, _role.world())))

  be befriend(sender: Name) =>
    _role.log(sender, DirectoryTakes.befriend())
    for (number, friend) in _clients.values() do
      var befriended = false
      while not befriended do
        for (number', client) in _clients.values() do
          if
            (_lcg.next_int(100) < _parameters.befriend)
              and (client isnt friend)
          then
            client.befriend(_role.name, number, friend)
            friend.befriend(_role.name, number', client)
            befriended = true
          end
        end
      end
    end

  be settle(sender: Name) =>
    _role.log(sender, DirectoryTakes.settle())
    _settling = _clients.size()
    for (_, client) in _clients.values() do
      client.settle(_role.name)
    end

  be settled(sender: Name) =>
    _role.log(sender, DirectoryTakes.settled())
    _settling = _settling - 1
    if _settling == 0 then _poker.settled(_role.name) end

  be poke(sender: Name, turn: U64, accumulator: Accumulator) =>
    _role.log(sender, DirectoryTakes.poke(), turn)
    if _role.abandoned() then return end
    for (_, client) in _clients.values() do
      client.act(_role.name, turn, Draw, 0, 0, accumulator)
    end

  be act(
    sender: Name,
    turn: U64,
    client: U64,
    choice: Choice,
    index: U64,
    k: U64,
    accumulator: Accumulator)
  =>
    _role.log(
      sender, DirectoryTakes.act(), turn, client, choice.number(), index, k)
    try
      // Clients log in by turns, so the nth of them has this place here.
      let place = client / _parameters.directories
      (_, let actor') = _clients(place.usize())?
      actor'.act(_role.name, turn, choice, index, k, accumulator)
    else
      _role.failed("has no client " + client.string())
    end

  be disconnect(sender: Name) =>
    _role.log(sender, DirectoryTakes.disconnect())
    _online = _clients.size()
    for (_, client) in _clients.values() do
      client.logout(_role.name)
    end

  be left(sender: Name, sums: Sums) =>
    _role.log.sums(sender, DirectoryTakes.left(), sums)
    _sums = AddSums(_sums, sums)
    _online = _online - 1
    if _online == 0 then
      _poker.finished(_role.name, _sums)
      _clients.clear()
      Collect()
    end

  be abandon() =>
    for (_, client) in _clients.values() do
      client.abandon()
    end
    _clients.clear()
    Collect()

  fun _final() =>
    _role.leave_crew()
