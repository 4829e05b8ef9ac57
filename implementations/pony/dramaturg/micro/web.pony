use "collections"
use "../actor"
use "../arithmetic"
use "../world"

// Web (spec/web.md): browsers ask a dispatcher, which gives work to idle
// workers only.

primitive Web
  fun apply(parameters: Parameters, world: World): Lead =>
    let browsers = parameters.number("browsers")
    let workers = parameters.number("workers")
    let dispatcher =
      Dispatcher(
        browsers,
        workers,
        parameters.number("requests"),
        parameters.number("fib_n"),
        world)
    object val is Lead
      fun births(): U64 => browsers.u64() + workers.u64() + 1
      fun run(salt: U32) => dispatcher.start(Names.control(), salt)
      fun disconnect() => dispatcher.disconnect(Names.control())
    end

actor Dispatcher
  """
  Keeps the order of waiting requests and of idle workers.
  """
  embed _self: Self
  embed _workers: Array[Worker]
  embed _idle: Queue[U32]
  embed _waiting: Queue[(U32, U32, U32)]
  embed _used: Array[Bool]
  embed _browsers: Array[Browser]
  var _busy: U32
  var _answers: U64 = 0
  var _sum: U32 = 0

  new create(
    browsers: U32,
    workers: U32,
    requests: U32,
    fib_n: U32,
    world: World)
  =>
    _self = Self(Names(Classes.dispatcher()), world)
    _workers = Array[Worker](workers.usize())
    _idle = Queue[U32](0, workers.usize())
    _waiting = Queue[(U32, U32, U32)]((0, 0, 0), browsers.usize())
    _used = Array[Bool].init(false, workers.usize())
    _browsers = Array[Browser](browsers.usize())
    _busy = browsers
    for index in Range[U32](0, browsers) do
      _browsers.push(Browser(index, requests, this, world))
    end
    for index in Range[U32](0, workers) do
      _workers.push(Worker(index, fib_n, this, world))
      _idle.push(index)
    end
    _self.ready()

  be start(sender: Name, salt: U32) =>
    _self.took(sender, Kinds.dispatcher_start(), salt.u64())
    for browser in _browsers.values() do
      browser.go(_self.name, salt)
    end

  be request(sender: Name, number: U32, value: U32) =>
    _self.took(sender, Kinds.dispatcher_request(), number.u64(), value.u64())
    _waiting.push((Names.index_of(sender), number, value))
    _assign()

  be idle(sender: Name) =>
    _self.took(sender, Kinds.dispatcher_idle())
    _idle.push(Names.index_of(sender))
    _assign()
    _report_when_done()

  be finished(sender: Name, answers: U64, sum: U32) =>
    _self.took(sender, Kinds.dispatcher_finished(), answers, sum.u64())
    _answers = _answers + answers
    _sum = _sum + sum
    _busy = _busy - 1
    _report_when_done()

  fun ref _assign() =>
    if (_waiting.size() == 0) or (_idle.size() == 0) then return end
    try
      (let browser, let number, let value) = _waiting.pop()?
      let worker = _idle.pop()?.usize()
      _workers(worker)?.work(
        _self.name, browser, _browsers(browser.usize())?, number, value)
      _used(worker)? = true
    else
      _self.failed("gives work to whom, or for whom, it does not know")
    end

  fun _report_when_done() =>
    if (_busy == 0) and (_idle.size() == _workers.size()) then
      var used: U64 = 0
      for worked in _used.values() do
        if worked then used = used + 1 end
      end
      _self.control.done(Stopwatch.stop(), [_answers; _sum.u64(); used])
    end

  be disconnect(sender: Name) =>
    _self.took(sender, Kinds.dispatcher_disconnect())
    try
      while _idle.size() > 0 do
        _workers(_idle.pop()?.usize())?.stop(_self.name)
      end
    else
      _self.failed("stops a worker that it does not know")
    end
    _browsers.clear()
    _workers.clear()
    _self.let_go()

  fun _final() =>
    _self.leave()

actor Worker
  """
  Computes, answers the browser, and is idle again.
  """
  let _fib_n: U32
  let _dispatcher: Dispatcher
  embed _self: Self

  new create(index: U32, fib_n: U32, dispatcher: Dispatcher, world: World) =>
    _fib_n = fib_n
    _dispatcher = dispatcher
    _self = Self(Names(Classes.worker(), index), world)
    _self.ready()

  be work(sender: Name, index: U32, browser: Browser, number: U32, value: U32)
  =>
    _self.took(
      sender, Kinds.worker_work(), index.u64(), number.u64(), value.u64())
    browser.answer(_self.name, number, Fold(value, Fibonacci(_fib_n).u32()))
    _dispatcher.idle(_self.name)

  be stop(sender: Name) =>
    _self.took(sender, Kinds.worker_stop())
    _self.terminate()

  fun _final() =>
    _self.leave()

actor Browser
  """
  Asks, waits for the answer, asks again.
  """
  let _index: U32
  let _requests: U32
  let _dispatcher: Dispatcher
  embed _self: Self
  var _digest: U32 = 0
  var _answers: U32 = 0
  var _sum: U32 = 0

  new create(index: U32, requests: U32, dispatcher: Dispatcher, world: World) =>
    _index = index
    _requests = requests
    _dispatcher = dispatcher
    _self = Self(Names(Classes.browser(), index), world)
    _self.ready()

  be go(sender: Name, salt: U32) =>
    _self.took(sender, Kinds.browser_go(), salt.u64())
    _digest = Fold(salt, _index)
    _request()

  be answer(sender: Name, number: U32, value: U32) =>
    _self.took(sender, Kinds.browser_answer(), number.u64(), value.u64())
    _answers = _answers + 1
    _sum = _sum + value
    if _answers < _requests then
      _request()
    else
      _dispatcher.finished(_self.name, _answers.u64(), _sum)
      _self.terminate()
    end

  fun _request() =>
    _dispatcher.request(_self.name, _answers, Fold(_digest, _answers))

  fun _final() =>
    _self.leave()
