class Role
  """
  What all actors have in common: a name, a receive log, a place in the
  headcount, and an end.
  """
  let name: Name
  embed house: House
  embed log: ReceiveLog
  var ended: Bool = false
  let _stage: Stage

  new create(name': Name, world': World) =>
    name = name'
    (_stage, let trace, let address) = world'
    house = House(address)
    log = ReceiveLog(name', trace)
    house.enter()

  new crew(name': Name, world': World) =>
    """
    For those who outlive the iteration.
    """
    name = name'
    (_stage, let trace, let address) = world'
    house = House(address)
    log = ReceiveLog(name', trace)
    house.enter_crew()

  fun world(): World =>
    """
    To give to those whom this actor makes.
    """
    (_stage, log.trace, house.address())

  fun ready() =>
    """
    Said once by each of those who are there at first, when they know all that
    they have to know.
    """
    _stage.ready()

  fun abandoned(): Bool =>
    house.abandoned()

  fun interrupted(done: U64): Bool =>
    """
    For those who do much without taking a message: whether the world was
    abandoned meanwhile. Not worth a look each time.
    """
    ((done and 0x3FF) == 0) and abandoned()

  fun ref terminate() =>
    """
    The last act. The runtime takes away whom nobody refers to any more.
    """
    ended = true

  fun ref let_go() =>
    """
    The last act of those who had references to others and have dropped them,
    also those that came in messages: so the others hear of it now, and not when
    there is enough garbage.
    """
    ended = true
    Collect()

  fun leave() =>
    """
    For the finaliser. Who has not ended itself is not gone, unless nobody was
    to end any more.
    """
    if ended or abandoned() then house.leave() end

  fun leave_crew() =>
    house.leave_crew()

  fun failed(reason: String) =>
    // An abandoned actor has dropped those whom it would have written to.
    if not ended then _stage.failed(name, reason) end

  fun unknown(other: Name) =>
    failed("hears from " + Names.spell(other) + ", whom it does not know")
