actor Accumulator
  """
  Counts the work of one turn, level by level, so that it depends on no order
  between different senders.

  It is told more than all others together, and memory is what a message costs
  most. So what it is told is 32 bits wide, which even fib(47) is, and fits the
  smallest block in which the runtime puts a message.
  """
  let _turn: U64
  let _poker: Poker
  embed _role: Role
  let _expected: Array[U64]
  let _consumed: Array[U64] = [0; 0; 0]
  var _value: U64 = 0

  new create(turn: U64, expected: U64, poker: Poker, world: World) =>
    _turn = turn
    _poker = poker
    _role = Role(Names.accumulator(turn), world)
    _expected = [expected; 0; 0]

  be stop(sender: Name, level: U32, value: U32) =>
    _role.log(sender, AccumulatorTakes.stop(), level.u64(), value.u64())
    _value = _value + value.u64()
    _consume(level)

  be bump(sender: Name, level: U32, n: U32) =>
    _role.log(sender, AccumulatorTakes.bump(), level.u64(), n.u64())
    let below = level.usize() + 1
    try
      _expected(below)? = _expected(below)? + n.u64()
    else
      _role.failed("has no level below " + level.string())
    end
    _consume(level)

  fun ref _consume(level: U32) =>
    let level' = level.usize()
    try
      _consumed(level')? = _consumed(level')? + 1
      // Most of the time there is more to come, and then so on this level.
      if _consumed(level')? != _expected(level')? then return end
      for (l, consumed) in _consumed.pairs() do
        if consumed != _expected(l)? then return end
      end
      _poker.confirm(_role.name, _turn, _value)
      _terminate()
    else
      _role.failed("has no level " + level.string())
    end

  fun ref _terminate() =>
    _role.let_go()

  fun _final() =>
    _role.leave()
