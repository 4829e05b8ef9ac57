use "../actor"
use "../arithmetic"
use "../world"

actor Chat
  """
  Forwards what is posted to all its members; ends with its last member.
  """
  embed _self: Self
  embed _members: Array[Person] = _members.create()
  let _history: (Array[U64] | None)
  var _digests: U32 = 0

  new create(name: Name, creator: Person, history: Bool, world: World) =>
    _self = Self(name, world)
    _history = if history then [] end
    _members.push(creator)

  be post(sender: Name, turn: U32, payload: U64, accumulator: Accumulator) =>
    _self.took(sender, Kinds.chat_post(), turn.u64(), payload)
    let digest = Digest(payload)
    match _history
    | let history: Array[U64] =>
      history.push(payload)
      _digests = _digests + digest
    end
    let members = _members.size().u32()
    accumulator.bump(_self.name, 0, members, members * digest)
    for (_, member) in _members.values() do
      member.forward(_self.name, turn, 1, payload, accumulator)
    end

  be join(
    sender: Name,
    turn: U32,
    number: U32,
    friend: Client,
    accumulator: Accumulator)
  =>
    _self.took(sender, Kinds.chat_join(), turn.u64(), number.u64())
    _members.push((number, friend))
    var level: U32 = 1
    match _history
    | let history: Array[U64] if history.size() > 0 =>
      accumulator.bump(_self.name, 1, history.size().u32() + 1, _digests)
      level = 2
      for payload in history.values() do
        friend.forward(_self.name, turn, level, payload, accumulator)
      end
    end
    friend.accepted(_self.name, turn, level, this, accumulator)

  be leave(sender: Name, turn: U32, accumulator: (Accumulator | None)) =>
    _self.took(sender, Kinds.chat_leave(), turn.u64())
    try
      let place = _place_of(Names.index_of(sender))?
      (_, let member) = _members.delete(place)?
      member.left(_self.name, turn, accumulator)
      if _members.size() == 0 then _self.let_go() end
    else
      _self.failed(
        "is left by " + Names.spell(sender) + ", which is no member")
    end

  fun _place_of(number: U32): USize ? =>
    for (place, (number', _)) in _members.pairs() do
      if number' == number then return place end
    end
    error

  fun _final() =>
    _self.leave()
