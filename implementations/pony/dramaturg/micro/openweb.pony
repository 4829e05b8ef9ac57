use "collections"
use "time"
use "../actor"
use "../arithmetic"
use "../world"

// Web under an open load (spec/openweb.md): requests arrive when they are due,
// and nobody waits for an answer before the next one.

primitive OpenWeb
  fun apply(parameters: Parameters, world: World): Lead =>
    let servers = parameters.number("servers")
    let source =
      Source(
        servers,
        Arrivals(
          parameters.number("requests"),
          parameters.number("gap"),
          parameters.number("seed")),
        parameters.number("fib_n"),
        world)
    object val is Lead
      fun births(): U64 => servers.u64() + 2
      fun run(salt: U32) => source.start(Names.control(), salt)
      fun disconnect() => source.disconnect(Names.control())
    end

primitive Arrivals
  """
  When each request is due, in nanoseconds after the start of the run (OPEN-1).
  """
  fun apply(requests: U32, gap: U32, seed: U32): Array[U64] val =>
    let lengths = Array[U64](256) // in millionths of the gap
    var length: U64 = 0
    for left in Range[U64](0, 256) do
      length = length + (1_000_000 / (256 - left))
      lengths.push(length)
    end
    let lcg = Lcg(seed)
    var total: U64 = 0
    let due = recover Array[U64](requests.usize()) end
    for _ in Range[U32](0, requests) do
      total = total + try lengths((lcg.next() / 256).usize())? else 0 end
      due.push((gap.u64() * total) / 1000)
    end
    consume due

actor Source
  """
  Sends each request when it is due, and takes the answers.
  """
  let _due: Array[U64] val
  let _timers: Timers = Later.exact_timers()
  embed _self: Self
  // What the clock said, by requests.
  embed _arrived: Array[U64]
  embed _answered: Array[U64]
  var _balancer: (Balancer | None) = None
  var _salt: U32 = 0
  var _started: U64 = 0
  var _answers: U64 = 0
  var _sum: U32 = 0
  var _used: U64 = 0

  new create(
    servers: U32,
    due: Array[U64] val,
    fib_n: U32,
    world: World)
  =>
    _due = due
    _self = Self(Names(Classes.source()), world)
    _arrived = Array[U64].init(0, due.size())
    _answered = Array[U64].init(0, due.size())
    _balancer = Balancer(servers, due.size(), fib_n, this, world)
    _self.ready()

  be start(sender: Name, salt: U32) =>
    _self.took(sender, Kinds.source_start(), salt.u64())
    // A little later than control's own stamp, so that nothing is early.
    _started = Stopwatch.now()
    _salt = salt
    _await(0)

  be arrive(sender: Name, number: U32, due: U64) =>
    let at = Stopwatch.now()
    _self.took(sender, Kinds.source_arrive(), number.u64(), due)
    try _arrived(number.usize())? = at end
    match _balancer
    | let balancer: Balancer =>
      let value = Fold(Fold(_salt, number), due.u32())
      balancer.request(_self.name, number, value)
    end
    _await(number + 1)

  be answer(sender: Name, number: U32, value: U32) =>
    let at = Stopwatch.now()
    _self.took(sender, Kinds.source_answer(), number.u64(), value.u64())
    try _answered(number.usize())? = at end
    _answers = _answers + 1
    _sum = _sum + value
    _report_when_done()

  be drained(sender: Name, used: U64) =>
    _self.took(sender, Kinds.source_drained(), used)
    _used = used
    _report_when_done()

  be disconnect(sender: Name) =>
    _self.took(sender, Kinds.source_disconnect())
    match _balancer = None
    | let balancer: Balancer => balancer.close(_self.name)
    end
    Later.close(_timers)
    _self.let_go()

  fun _await(number: U32) =>
    """
    Have the timer say when this request is due, if there is one.
    """
    try
      let due = _due(number.usize())?
      Later.at(
        _timers,
        _started + due,
        {()(self: Source = this, name = _self.name) =>
          self.arrive(name, number, due) })
    end

  fun _report_when_done() =>
    if (_used > 0) and (_answers == _due.size().u64()) then
      let at = Stopwatch.stop()
      _self.control.readings(_due, _copy(_arrived), _copy(_answered))
      _self.control.done(at, [_answers; _sum.u64(); _used])
    end

  fun tag _copy(stamps: Array[U64] box): Array[U64] val =>
    let copy = recover Array[U64](stamps.size()) end
    for stamp in stamps.values() do copy.push(stamp) end
    consume copy

  fun _final() =>
    _self.leave()

actor Balancer
  """
  Keeps the order of waiting requests and of idle servers.
  """
  let _requests: USize
  let _source: Source
  embed _self: Self
  embed _servers: Array[Server]
  embed _idle: Queue[U32]
  embed _waiting: Queue[(U32, U32)]
  embed _worked: Array[Bool]
  var _given: USize = 0
  var _used: U64 = 0

  new create(
    servers: U32,
    requests: USize,
    fib_n: U32,
    source: Source,
    world: World)
  =>
    _requests = requests
    _source = source
    _self = Self(Names(Classes.balancer()), world)
    _servers = Array[Server](servers.usize())
    _idle = Queue[U32](0, servers.usize())
    _waiting = Queue[(U32, U32)]((0, 0), requests)
    _worked = Array[Bool].init(false, servers.usize())
    for index in Range[U32](0, servers) do
      _servers.push(Server(index, fib_n, source, this, world))
      _idle.push(index)
    end
    _self.ready()

  be request(sender: Name, number: U32, value: U32) =>
    _self.took(sender, Kinds.balancer_request(), number.u64(), value.u64())
    _waiting.push((number, value))
    _assign()

  be idle(sender: Name) =>
    _self.took(sender, Kinds.balancer_idle())
    _idle.push(Names.index_of(sender))
    _assign()
    if (_given == _requests) and (_idle.size() == _servers.size()) then
      _source.drained(_self.name, _used)
    end

  be close(sender: Name) =>
    _self.took(sender, Kinds.balancer_close())
    try
      while _idle.size() > 0 do
        _servers(_idle.pop()?.usize())?.stop(_self.name)
      end
    else
      _self.failed("stops a server that it does not know")
    end
    _servers.clear()
    _self.let_go()

  fun ref _assign() =>
    if (_waiting.size() == 0) or (_idle.size() == 0) then return end
    try
      (let number, let value) = _waiting.pop()?
      let server = _idle.pop()?.usize()
      _servers(server)?.work(_self.name, number, value)
      if not (_worked(server)? = true) then _used = _used + 1 end
      _given = _given + 1
    else
      _self.failed("gives work to a server that it does not know")
    end

  fun _final() =>
    _self.leave()

actor Server
  """
  Computes, answers the source, and is idle again.
  """
  let _fib_n: U32
  let _source: Source
  let _balancer: Balancer
  embed _self: Self

  new create(
    index: U32,
    fib_n: U32,
    source: Source,
    balancer: Balancer,
    world: World)
  =>
    _fib_n = fib_n
    _source = source
    _balancer = balancer
    _self = Self(Names(Classes.server(), index), world)
    _self.ready()

  be work(sender: Name, number: U32, value: U32) =>
    _self.took(sender, Kinds.server_work(), number.u64(), value.u64())
    _source.answer(_self.name, number, Fold(value, Fibonacci(_fib_n).u32()))
    _balancer.idle(_self.name)

  be stop(sender: Name) =>
    _self.took(sender, Kinds.server_stop())
    _self.terminate()

  fun _final() =>
    _self.leave()
