actor Chat
  """
  Forwards what is posted to all its members; ends with its last member.
  """
  embed _role: Role
  embed _members: Array[Person] = _members.create()
  let _history: (Array[U64] | None)

  new create(name: Name, creator: Person, history: Bool, world: World) =>
    _role = Role(name, world)
    _history = if history then [] end
    _members.push(creator)

  be post(sender: Name, turn: U64, payload: U64, accumulator: Accumulator) =>
    _role.log(sender, ChatTakes.post(), turn, payload)
    match _history
    | let history: Array[U64] => history.push(payload)
    end
    accumulator.bump(_role.name, 0, _members.size().u32())
    for (_, member) in _members.values() do
      member.forward(_role.name, turn, 1, payload, accumulator)
    end

  be join(
    sender: Name,
    turn: U64,
    number: U64,
    friend: Client,
    accumulator: Accumulator)
  =>
    _role.log(sender, ChatTakes.join(), turn, number)
    // An abandoned chat has dropped its members and must not take another.
    if not _role.ended then _members.push((number, friend)) end
    var level: U64 = 1
    match _history
    | let history: Array[U64] if history.size() > 0 =>
      accumulator.bump(_role.name, 1, history.size().u32() + 1)
      level = 2
      for payload in history.values() do
        friend.forward(_role.name, turn, level, payload, accumulator)
      end
    end
    friend.accepted(_role.name, turn, level, this, accumulator)

  be leave(sender: Name, turn: U64, accumulator: (Accumulator | None)) =>
    _role.log(sender, ChatTakes.leave(), turn)
    try
      let place = _place_of(Names.index_of(sender))?
      (_, let member) = _members.delete(place)?
      member.left(_role.name, turn, accumulator)
      if _members.size() == 0 then _terminate() end
    else
      _role.failed(
        "is left by " + Names.spell(sender) + ", which is no member")
    end

  fun _place_of(number: U64): USize ? =>
    for (place, (number', _)) in _members.pairs() do
      if number' == number then return place end
    end
    error

  be abandon() =>
    _terminate()

  fun ref _terminate() =>
    _members.clear()
    _role.let_go()

  fun _final() =>
    _role.leave()
