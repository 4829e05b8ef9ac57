use "collections"
use "../actor"
use "../arithmetic"
use "../world"

// Fanout (spec/fanout.md): a master gives tasks to runners; each answers every
// one.

primitive Fanout
  fun apply(parameters: Parameters, world: World): Lead =>
    let runners = parameters.number("runners")
    let master =
      Master(
        runners,
        parameters.number("tasks"),
        parameters.number("window"),
        world)
    object val is Lead
      fun births(): U64 => runners.u64() + 1
      fun run(salt: U32) => master.start(Names.control(), salt)
    end

actor Master
  """
  Hands out tasks, counts what is completed.
  """
  let _tasks: U32
  let _window: U32
  embed _self: Self
  embed _runners: Array[Runner]
  embed _given: Array[U32]
  var _salt: U32 = 0
  var _completed: U64 = 0
  var _sum: U32 = 0

  new create(runners: U32, tasks: U32, window: U32, world: World) =>
    _tasks = tasks
    _window = window
    _self = Self(Names(Classes.master()), world)
    _runners = Array[Runner](runners.usize())
    _given = Array[U32].init(0, runners.usize())
    for index in Range[U32](0, runners) do
      _runners.push(Runner(index, tasks, this, world))
    end
    _self.ready()

  be start(sender: Name, salt: U32) =>
    _self.took(sender, Kinds.master_start(), salt.u64())
    _salt = salt
    let rounds = if _window == 0 then _tasks else _window.min(_tasks) end
    for _ in Range[U32](0, rounds) do
      for index in Range[U32](0, _runners.size().u32()) do
        _give(index)
      end
    end

  be completed(sender: Name, number: U32, value: U32) =>
    _self.took(sender, Kinds.master_completed(), number.u64(), value.u64())
    _completed = _completed + 1
    _sum = _sum + value
    _give(Names.index_of(sender))
    if _completed == (_runners.size().u64() * _tasks.u64()) then
      _self.control.done(Stopwatch.stop(), [_completed; _sum.u64()])
      _runners.clear()
      _self.let_go()
    end

  fun ref _give(index: U32) =>
    """
    The runner's next task, if it has had fewer than all.
    """
    try
      let number = _given(index.usize())?
      if number < _tasks then
        let value = Fold(Fold(_salt, index), number)
        _runners(index.usize())?.task(_self.name, number, value)
        _given(index.usize())? = number + 1
      end
    else
      _self.unknown(Names(Classes.runner(), index))
    end

  fun _final() =>
    _self.leave()

actor Runner
  """
  Takes tasks and answers each.
  """
  let _tasks: U32
  let _master: Master
  embed _self: Self
  var _taken: U32 = 0

  new create(index: U32, tasks: U32, master: Master, world: World) =>
    _tasks = tasks
    _master = master
    _self = Self(Names(Classes.runner(), index), world)
    _self.ready()

  be task(sender: Name, number: U32, value: U32) =>
    _self.took(sender, Kinds.runner_task(), number.u64(), value.u64())
    _master.completed(_self.name, number, Fold(value, _taken))
    _taken = _taken + 1
    if _taken == _tasks then _self.terminate() end

  fun _final() =>
    _self.leave()
