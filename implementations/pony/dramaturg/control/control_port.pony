use "time"
use "../actor"
use "../json"
use "../micro"
use "../world"

actor ControlPort is Control
  """
  The control port (spec/control.md): one world at a time, and one call under
  way in it.
  """
  let _env: Env
  let _cells: Cell
  let _timers: Timers = Later.timers()
  var _lead: Lead = Nobody
  var _receipt: Receipt = Receipt("")
  var _id: U64 = 0
  var _under_way: Bool = false
  var _running: Bool = false
  var _failure: (String | None) = None
  var _unborn: U64 = 0
  var _since: U64 = 0
  var _marked: U64 = 0
  var _alive: U64 = 0
  var _changed: U64 = 0

  new create(env: Env, cells: Cell) =>
    _env = env
    _cells = cells

  be take(id: U64, call: String, request: JsonObject) =>
    """
    One request; traces are asked for elsewhere.
    """
    try
      match call
      | "describe" => Describe(_env, request.objects("probes"), JsonLine(id))?
      else _begin(id, call, request)?
      end
    else
      _env.err.print("nothing is known of such a request: " + call)
    end

  fun ref _begin(id: U64, call: String, request: JsonObject) ? =>
    _id = id
    _under_way = true
    _since = Stopwatch.now()
    match call
    | "prepare" => _prepare(request)?
    | "act" => _lead.act(request)
    | "turn" => _lead.turn()
    | "run" =>
      _running = true
      _marked = _since
      _receipt.begin_run(Stopwatch.start(_lead, request.number("salt")))
    | "teardown" =>
      _lead.disconnect()
      if not _lead.finishes() then _wait_for_ends() end
    end
    _tell_failure()

  fun ref _prepare(request: JsonObject) ? =>
    (let name, let parameters) = request.member("benchmark")?.only()?
    _running = false
    _failure = None
    Watches.write(_cells, request.objects("watches").values())
    _lead = Benchmarks(name, parameters, (this, _cells))?
    _receipt = Receipt(name)
    _unborn = _lead.births()

  be ready() =>
    _unborn = _unborn - 1
    if _unborn == 0 then
      _end(_reply() .> number("setup_nanos", Stopwatch.now() - _since))
    end

  be confirmed(turn: U32, sums: TurnSums, began: U64, ended: U64) =>
    _receipt.confirmed(turn, sums, began, ended)
    if _running then
      _mark(_receipt.confirms)
      if _receipt.confirms == _lead.marks() then _end_run(ended) end
    else
      _end(_reply())
    end

  be window(count: U64, at: U64) =>
    _receipt.window(count, at)
    _mark(_receipt.windows.size().u64())

  be readings(
    due: Array[U64] val,
    arrived: Array[U64] val,
    answered: Array[U64] val)
  =>
    _receipt.readings(due, arrived, answered)

  be done(at: U64, arguments: Array[U64] val, shortest: U64 = 0) =>
    _receipt.done(arguments, shortest)
    _end_run(at)

  fun ref _end_run(at: U64) =>
    _receipt.end_run(at)
    if _lead.marks() > 0 then _mark(_lead.marks() where last = true) end
    _end(JsonLine(_id) .> yes("end"))

  fun ref _mark(count: U64, last: Bool = false) =>
    """
    At most ten a second, and the last one (CTRL-6).
    """
    let now = Stopwatch.now()
    if last or ((now - _marked) >= 100_000_000) then
      _marked = now
      let item = JsonLine(_id) .> open("item") .> open("mark")
      item .> number("done", count) .> send()
    end

  be finished(sums: Arguments) =>
    _receipt.finished(sums)
    _wait_for_ends()

  fun ref _wait_for_ends() =>
    """
    Actors end in their own time, and the lead when it is forgotten here.
    """
    _lead = Nobody
    Collect()
    _alive = -1
    _look()

  be _look() =>
    let now = Stopwatch.now()
    let alive = Cells.read(_cells)
    if alive != (_alive = alive) then _changed = now end
    if (alive > 0) and ((now - _changed) < 1_000_000_000) then
      Later(_timers, 1, {()(port: ControlPort = this) => port._look() })
    else
      _ended(alive)
    end

  be _ended(alive: U64) =>
    """
    Said to itself when nobody is alive: what others said before they ended is
    taken first.
    """
    _end(_receipt.write(_reply(), _changed - _since, alive))

  be failed(name: Name, reason: String) =>
    """
    Ends the call under way, or else the next one.
    """
    if _failure is None then _failure = Names.spell(name) + " " + reason end
    _tell_failure()

  fun ref _tell_failure() =>
    match _failure
    | let reason: String => _end(JsonLine(_id) .> string("error", reason))
    end

  fun _reply(): JsonLine =>
    JsonLine(_id) .> open("reply")

  fun ref _end(answer: JsonLine) =>
    """
    The last answer of the call under way, unless an actor failed before. A log
    limit ends with its run.
    """
    if _under_way = false then
      Room.open(Watches.room(_cells))
      answer.send()
    end
