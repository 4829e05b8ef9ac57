use "time"
use "../json"
use "../world"

actor ControlPort is Control
  """
  The control port (spec/control.md): one world at a time, and one call under
  way in it. It keeps the world's logs itself, so that no actor needs a
  reference more to be watched.
  """
  let _env: Env
  let _world: Cell = Watches.cells()
  let _timers: Timers = Later.timers()
  var _lead: Lead = Lead
  var _receipt: Receipt = Receipt("", [])
  var _trace: Trace = Trace
  var _id: U64 = 0
  var _under_way: Bool = false
  var _running: Bool = false
  var _awaited: U64 = 0
  var _since: U64 = 0
  var _marked: U64 = 0
  var _alive: U64 = 0
  var _changed: U64 = 0

  new create(env: Env) =>
    _env = env

  be take(line: String) =>
    """
    One request.
    """
    try
      let message = JsonObject.parse(line)?
      let id = message("id") as U64
      let request = message("request") as JsonObject
      match message("call") as String
      | "describe" => Describe(_env, request.objects("probes"), Answer(id))
      | "trace" => _trace.deliver(id)
      | let call: String => _begin(id, call, request)?
      end
    else
      _env.err.print("this is no request: " + line)
    end

  fun ref _begin(id: U64, call: String, request: JsonObject) ? =>
    _id = id
    _under_way = true
    _since = Stopwatch.now()
    match call
    | "prepare" => _prepare(request)?
    | "act" =>
      _lead.act(
        request.number("client"),
        request.number("choice"),
        request.number("index"),
        request.number("k"))
    | "turn" => _lead.turn()
    | "run" =>
      _running = true
      _marked = _since
      _receipt.begin(Stopwatch.start(_lead, request.number("salt")))
    | "teardown" =>
      _lead.disconnect()
      if not _lead.finishes then _wait_for_ends() end
    end

  fun ref _prepare(request: JsonObject) ? =>
    _trace.discard()
    _trace = Trace
    _running = false
    Watches.write(_world, request.objects("watches"))
    (let name, let parameters) =
      (request("benchmark") as JsonObject).only()?
    _lead = Benchmarks(name, parameters, (this, _world))?
    _awaited = _lead.births
    _receipt = Receipt(name, _lead.receipt)

  be ready() =>
    _awaited = _awaited - 1
    if _awaited == 0 then
      _end(_reply() .> number("setup_nanos", Stopwatch.now() - _since))
    end

  be confirmed(
    turn: U32,
    value: U64,
    stops: U64,
    announced: U32,
    consumed: U32,
    began: U64,
    ended: U64)
  =>
    _receipt
      .confirmed(turn, value, stops, announced, consumed, began, ended)
    if not _running then
      _end(_reply())
    elseif _receipt.confirms == _lead.marks then
      _end_run(ended)
    else
      _mark(_receipt.confirms)
    end

  be window(count: U64, at: U64) =>
    _receipt.window(count, at)
    _mark(_receipt.windows.size().u64())

  be done(at: U64, a: U64, b: U64, c: U64, d: U64) =>
    _receipt.report([a; b; c; d])
    _end_run(at)

  fun ref _end_run(at: U64) =>
    _receipt.end_run(at)
    if _lead.marks > 0 then _send_mark(_lead.marks) end
    _end(Answer(_id) .> yes("end"))

  fun ref _mark(done': U64) =>
    """
    At most ten a second.
    """
    let now = Stopwatch.now()
    if (now - _marked) >= 100_000_000 then
      _marked = now
      _send_mark(done')
    end

  fun _send_mark(done': U64) =>
    Answer(_id)
      .> open("item")
      .> open("mark")
      .> number("done", done')
      .> send()

  be finished(sums: Arguments) =>
    _receipt.report(
      [ sums._1; sums._2; sums._3; sums._4; sums._5; sums._6; sums._7
        sums._8 ])
    _wait_for_ends()

  fun ref _wait_for_ends() =>
    """
    Actors end in their own time, and the lead when it is forgotten here.
    """
    _lead = Lead
    Collect()
    _alive = -1
    _look()

  be _look() =>
    let now = Stopwatch.now()
    let alive = Cells.read(_world)
    if alive != _alive then
      _alive = alive
      _changed = now
    end
    if (alive > 0) and ((now - _changed) < 1_000_000_000) then
      Later(_timers, 1, {()(port: ControlPort = this) => port._look() })
    else
      let answer = _reply()
      _receipt.write(answer, _changed - _since, alive)
      _end(answer)
    end

  be failed(name: Name, reason: String) =>
    _end(Answer(_id) .> string("error", Names.spell(name) + " " + reason))

  be born(name: Name, taken: Cell) =>
    _trace.born(name, taken)

  be took(actor': Name, sender: Name, kind: U32, arguments: Arguments) =>
    _trace.took(actor', sender, kind, arguments)

  fun _reply(): Answer =>
    Answer(_id) .> open("reply")

  fun ref _end(answer: Answer) =>
    """
    The last answer of the call under way, unless an actor failed before.
    """
    if _under_way then answer.send() end
    _under_way = false
