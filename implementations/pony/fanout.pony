use "collections"
use "time"

// Fanout (spec/fanout.md): a master gives tasks to runners; each answers every
// one.

class val Fanout is Piece
  """
  Runners, tasks for each, and how many one may have under way (0: all).
  """
  let runners: U64
  let tasks: U64
  let window: U64
  let _refusal: (Refusal | None)

  new val create(request: JsonObject) =>
    let fields = Fields(request)
    runners = fields.actors("runners")
    tasks = fields.times("tasks")
    window = fields.times("window" where least = 0)
    _refusal = fields.refusal

  fun name(): String => "fanout"

  fun refusal(): (Refusal | None) => _refusal

  fun receipt(done: Done): Array[(String, U64)] =>
    [("attempted", done._1); ("completed", done._2)]

  fun val cast(stage: MicroStage, world: World): Opening =>
    let master = Master(this, stage, world)
    (runners + 1, master, {() => master.start(Names.control()) })

actor Master is Lead
  """
  Hands out tasks, counts what is completed.
  """
  let _piece: Fanout
  let _stage: MicroStage
  embed _role: Role
  embed _runners: Array[Runner] = _runners.create()
  embed _given: Array[U32]
  var _attempted: U64 = 0
  var _completed: U64 = 0

  new create(piece: Fanout, stage: MicroStage, world: World) =>
    _piece = piece
    _stage = stage
    _role = Role(Names.master(), world)
    _given = Array[U32].init(0, piece.runners.usize())
    for index in Range[U64](0, piece.runners) do
      _runners.push(Runner(index, piece.tasks, this, world))
    end
    _role.ready()

  be start(sender: Name) =>
    _role.log(sender, MasterTakes.start())
    _stage.started(Time.nanos())
    let rounds =
      if _piece.window == 0 then
        _piece.tasks
      else
        _piece.window.min(_piece.tasks)
      end
    var given: U64 = 0
    for _ in Range[U64](0, rounds) do
      for index in Range(0, _runners.size()) do
        if _role.interrupted(given = given + 1) then return end
        _give(index)
      end
    end

  be completed(sender: Name, number: U32, attempted: U32) =>
    _role.log(sender, MasterTakes.completed(), number.u64(), attempted.u64())
    if _role.ended then return end
    _completed = _completed + 1
    if attempted.u64() == _piece.tasks then
      _attempted = _attempted + attempted.u64()
    end
    _give(Names.index_of(sender).usize())
    if _completed == (_piece.runners * _piece.tasks) then
      _stage.done(Time.nanos(), _attempted, _completed)
      _terminate()
    end

  fun ref _give(index: USize) =>
    """
    The runner's next task, if it has had fewer than all.
    """
    try
      let number = _given(index)?
      if number.u64() < _piece.tasks then
        _runners(index)?.task(_role.name, number)
        _given(index)? = number + 1
      end
    else
      _role.unknown(Names.runner(index.u64()))
    end

  be abandon() =>
    _terminate()

  fun ref _terminate() =>
    _runners.clear()
    _role.let_go()

  fun _final() =>
    _role.leave()

actor Runner
  """
  Takes tasks and answers each.
  """
  let _tasks: U64
  let _master: Master
  embed _role: Role
  var _attempted: U32 = 0

  new create(index: U64, tasks: U64, master: Master, world: World) =>
    _tasks = tasks
    _master = master
    _role = Role(Names.runner(index), world)
    _role.ready()

  be task(sender: Name, number: U32) =>
    _role.log(sender, RunnerTakes.task(), number.u64())
    _attempted = _attempted + 1
    _master.completed(_role.name, number, _attempted)
    if _attempted.u64() == _tasks then _role.terminate() end

  fun _final() =>
    _role.leave()
