use "../actor"
use "../world"

actor Accumulator
  """
  Counts the work of one turn, level by level, so that it depends on no order
  between different senders (CHAT-33).

  It is told more than all others together, and memory is what a message costs
  most. So what `stop` says is 32 bits wide, which even fib(47) is, and fits the
  smallest block in which the runtime puts a message.
  """
  let _turn: U32
  let _poker: Poker
  embed _self: Self
  let _expected: Array[U64]
  let _reported: Array[U64] = [0; 0; 0]
  var _value: U64 = 0
  var _stops: U64 = 0
  var _announced: U32 = 0
  var _consumed: U32 = 0

  new create(turn: U32, expected: U32, poker: Poker, world: World) =>
    _turn = turn
    _poker = poker
    _self = Self(Names(Classes.accumulator(), turn), world)
    _expected = [expected.u64(); 0; 0]

  be stop(sender: Name, level: U32, value: U32) =>
    _self.took(sender, Kinds.accumulator_stop(), level.u64(), value.u64())
    if level == 0 then
      _value = _value + value.u64()
    else
      _stops = _stops + 1
      _consumed = _consumed + value
    end
    _report(level)

  be bump(sender: Name, level: U32, n: U32, digest: U32) =>
    _self.took(
      sender, Kinds.accumulator_bump(), level.u64(), n.u64(), digest.u64())
    _announced = _announced + digest
    let below = level.usize() + 1
    try
      _expected(below)? = _expected(below)? + n.u64()
    else
      _self.failed("has no level below " + level.string())
    end
    _report(level)

  fun ref _report(level: U32) =>
    let level' = level.usize()
    try
      _reported(level')? = _reported(level')? + 1
      // Most of the time there is more to come, and then so on this level.
      if _reported(level')? != _expected(level')? then return end
      for (l, reported) in _reported.pairs() do
        if reported != _expected(l)? then return end
      end
      _poker.confirm(
        _self.name,
        _turn,
        (_value, _stops, _announced, _consumed))
      _self.let_go()
    else
      _self.failed("has no level " + level.string())
    end

  fun _final() =>
    _self.leave()
