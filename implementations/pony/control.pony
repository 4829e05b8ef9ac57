use "time"

// How far the current world has come: what decides which calls are in order.
primitive NoWorld
primitive Prepared
primitive Played
primitive Finished

type Phase is (NoWorld | Prepared | Played | Finished)

// A call that the stage is working on.
primitive Preparing fun name(): String => "prepare"
primitive Acting fun name(): String => "act"
primitive Turning fun name(): String => "turn"
primitive Running fun name(): String => "run"
primitive TearingDown fun name(): String => "teardown"

type Task is (Preparing | Acting | Turning | Running | TearingDown)

actor Control
  """
  The control port (spec/control.md): one session, at most one world, and at
  most one task under way in it. What is in order is decided here; what a stage
  reports after it was dropped is ignored.
  """
  let _curtain: Curtain
  let _timers: Timers = Timers
  var _phase: Phase = NoWorld
  var _parameters: (ChatAppParameters | Piece | None) = None
  var _stage: (Stage | None) = None
  var _trace: (Trace | None) = None
  var _failure: (Refusal | None) = None
  var _task: (Task | None) = None
  var _id: I64 = 0
  var _iteration: U64 = 0
  var _iterations: U64 = 0
  var _ticker: (Timer tag | None) = None
  var _receipt: String = ""

  new create(curtain: Curtain) =>
    _curtain = curtain

  be take(id: I64, call: String, request: JsonObject) =>
    """
    One request.
    """
    match _answer(id, call, request)
    | let refusal: Refusal => Wire.line(Answer.refusal(id, refusal))
    end

  fun ref _answer(id: I64, call: String, request: JsonObject)
    : (Refusal | None)
  =>
    match call
    | "prepare" => _prepare(id, request)
    | "act" => _act(id, request)
    | "turn" => _turn(id)
    | "run" => _run(id, request)
    | "trace" => _deliver_trace(id)
    | "teardown" => _teardown(id, request)
    else Refusal.unimplemented(call + ": there is no such call")
    end

  fun ref _prepare(id: I64, request: JsonObject): (Refusal | None) =>
    match _task
    | let task: Task => return _too_early("prepare", task)
    end
    if _phase isnt NoWorld then
      return Refusal.precondition("prepare: a teardown is missing")
    end
    _parameters =
      match Decode.prepare(request)
      | let refusal: Refusal => return refusal
      | let chatapp: ChatAppParameters => chatapp
      | let piece: Piece => piece
      end
    _trace =
      match request("trace")
      | true => Trace
      else None
      end
    _phase = Prepared
    _begin(id, Preparing)
    _set_stage()

  fun ref _set_stage() =>
    match _parameters
    | let chatapp: ChatAppParameters =>
      _stage = ChatAppStage(this, _timers, chatapp, _trace, _curtain)
        .> prepare()
    | let piece: Piece =>
      _stage = MicroStage(this, _timers, piece, _trace, _curtain)
        .> prepare()
    end

  be prepared(stage: Stage, nanos: U64) =>
    if stage isnt _stage then return end
    match _task
    | Preparing => _end("{\"setup_nanos\":" + nanos.string() + "}")
    | Running => stage.run()
    end

  fun ref _act(id: I64, request: JsonObject): (Refusal | None) =>
    match _order("act")
    | let refusal: Refusal => return refusal
    end
    match (_stage, _parameters)
    | (let stage: ChatAppStage, let chatapp: ChatAppParameters) =>
      match Decode.act(request, chatapp.clients)
      | let refusal: Refusal => refusal
      | (let client: U64, let choice: Choice, let index: U64, let k: U64) =>
        _phase = Played
        _begin(id, Acting)
        stage.act(client, choice, index, k)
      end
    else
      _only_chatapp("act")
    end

  fun ref _turn(id: I64): (Refusal | None) =>
    match _order("turn")
    | let refusal: Refusal => return refusal
    end
    match _stage
    | let stage: ChatAppStage =>
      _phase = Played
      _begin(id, Turning)
      stage.turn()
    else
      _only_chatapp("turn")
    end

  be confirmed(stage: Stage, turn: U64, nanos: U64) =>
    if stage isnt _stage then return end
    let answer = "{\"turn\":" + turn.string()
    match _task
    | Acting => _end(answer + "}")
    | Turning => _end(answer + ",\"nanos\":" + nanos.string() + "}")
    end

  fun ref _run(id: I64, request: JsonObject): (Refusal | None) =>
    match _order("run")
    | let refusal: Refusal => return refusal
    end
    if _phase is Played then
      return Refusal.precondition(
        "run: the world has been played in; teardown and prepare are missing")
    end
    let most =
      match _trace
      | let _: Trace => U64(1)
      else U32.max_value().u64()
      end
    let fields = Fields(request)
    let iterations = fields.number("iterations", 1, most)
    match fields.refusal
    | let refusal: Refusal => return refusal
    end
    match _stage
    | let stage: Stage =>
      _phase = Finished
      _iteration = 0
      _iterations = iterations
      _begin(id, Running)
      _start_ticker()
      stage.run()
    end

  fun ref _start_ticker() =>
    """
    Progress, twice a second.
    """
    let notify =
      object iso is TimerNotify
        let _control: Control = this
        fun ref apply(timer: Timer, ticks: U64): Bool =>
          _control.tick()
          true
      end
    let ticker = Timer(consume notify, 500_000_000, 500_000_000)
    _ticker = ticker
    _timers(consume ticker)

  be tick() =>
    match (_task, _stage)
    | (Running, let stage: Stage) => stage.progress()
    end

  be progressed(stage: Stage, done: U64, total: U64) =>
    if (stage isnt _stage) or (_task isnt Running) then return end
    Wire.line(
      Answer.item(
        _id, "progress", Receipts.progress(_iteration, done, total)))

  be finished(stage: Stage, receipt: String) =>
    """
    An iteration has ended, by a run or by a teardown.
    """
    if stage isnt _stage then return end
    match _task
    | Running =>
      Wire.line(Answer.item(_id, "receipt", receipt))
      _iteration = _iteration + 1
      if _iteration < _iterations then
        stage.close()
      else
        Wire.line(Answer.end_of_stream(_id))
        _rest()
      end
    | TearingDown =>
      _receipt = "{\"receipt\":" + receipt + "}"
      stage.close()
    end

  be closed(stage: Stage) =>
    """
    Nothing is left of a world whose iteration had ended.
    """
    if stage isnt _stage then return end
    _drop_stage()
    match _task
    | Running => _set_stage()
    | TearingDown =>
      _phase = NoWorld
      _end(_receipt)
    end

  fun ref _deliver_trace(id: I64): (Refusal | None) =>
    match (_trace, _parameters)
    | (let trace: Trace, _) => trace.deliver(id)
    | (_, None) => Refusal.precondition("trace: a prepare is missing")
    else
      Refusal.precondition("trace: a prepare with trace = true is missing")
    end

  fun ref _teardown(id: I64, request: JsonObject): (Refusal | None) =>
    match request("abandon")
    | true => return _abandon(id)
    end
    match _task
    | let task: Task => return _too_early("teardown", task)
    end
    match (_phase, _failure)
    | (NoWorld, _) =>
      return Refusal.precondition("teardown: a prepare is missing")
    | (_, let failure: Refusal) =>
      return failure
    end
    _receipt = "{}"
    _begin(id, TearingDown)
    match _stage
    | let stage: Stage if _phase is Finished => stage.close()
    | let stage: Stage => stage.disconnect()
    end

  fun ref _abandon(id: I64): (Refusal | None) =>
    if _phase is NoWorld then
      return Refusal.precondition("teardown: a prepare is missing")
    end
    match _task
    | let task: Task =>
      _cancel(Refusal.cancelled(task.name() + ": the world was abandoned"))
    end
    _curtain.drop_curtain()
    match _stage
    | let stage: Stage => stage.abandon()
    end
    match _trace
    | let trace: Trace => trace.discard()
    end
    _drop_stage()
    _phase = NoWorld
    _failure = None
    Wire.line(Answer.reply(id, "{}"))

  be failed(stage: Stage, reason: String) =>
    if (stage isnt _stage) or (_failure isnt None) then return end
    let failure = Refusal.internal(reason)
    _failure = failure
    if _task isnt None then _cancel(failure) end

  fun _order(call: String): (Refusal | None) =>
    """
    Why an act, a turn or a run is out of order, for all that they have in
    common.
    """
    match (_task, _phase, _failure)
    | (let task: Task, _, _) => _too_early(call, task)
    | (_, NoWorld, _) => Refusal.precondition(call + ": a prepare is missing")
    | (_, Finished, _) =>
      Refusal.precondition(
        call + ": the world was run; teardown and prepare are missing")
    | (_, _, let failure: Refusal) => failure
    end

  fun _too_early(call: String, task: Task): Refusal =>
    Refusal.precondition(call + ": too early, " + task.name() + " is under way")

  fun _only_chatapp(call: String): Refusal =>
    Refusal.precondition(call + ": a prepare of chatapp is missing")

  fun ref _begin(id: I64, task: Task) =>
    _id = id
    _task = task

  fun ref _end(answer: String) =>
    Wire.line(Answer.reply(_id, answer))
    _rest()

  fun ref _cancel(refusal: Refusal) =>
    Wire.line(Answer.refusal(_id, refusal))
    _rest()

  fun ref _rest() =>
    _task = None
    match (_ticker = None)
    | let ticker: Timer tag => _timers.cancel(ticker)
    end

  fun ref _drop_stage() =>
    _stage = None
    Collect()
