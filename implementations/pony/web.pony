use "collections"
use "time"

// Web (spec/web.md): browsers ask a dispatcher, which gives work to idle
// workers only.

class val Web is Piece
  """
  Browsers, workers, requests of each browser, and the Fibonacci number each
  asks for.
  """
  let browsers: U64
  let workers: U64
  let requests: U64
  let fib_n: U64
  let _refusal: (Refusal | None)

  new val create(request: JsonObject) =>
    let fields = Fields(request)
    browsers = fields.actors("browsers")
    workers = fields.actors("workers")
    requests = fields.times("requests")
    fib_n = fields.number("fib_n", 0, 47)
    _refusal = fields.refusal

  fun name(): String => "web"

  fun refusal(): (Refusal | None) => _refusal

  fun receipt(done: Done): Array[(String, U64)] =>
    [ ("answers", done._1); ("value_sum", done._2); ("workers_used", done._3) ]

  fun val cast(stage: MicroStage, world: World): Opening =>
    let dispatcher = Dispatcher(this, stage, world)
    ( workers + browsers + 1
    , dispatcher
    , {() => dispatcher.start(Names.control()) } )

actor Dispatcher is Lead
  """
  Keeps the order of waiting requests and of idle workers.
  """
  let _stage: MicroStage
  embed _role: Role
  var _browsers: Array[Browser] val = []
  embed _workers: Array[Worker]
  embed _idle: Queue[U32]
  embed _waiting: Queue[(U32, U32)]
  embed _used: Array[Bool]
  var _browsing: U64
  var _answers: U64 = 0
  var _sum: U64 = 0

  new create(piece: Web, stage: MicroStage, world: World) =>
    _stage = stage
    _role = Role(Names.dispatcher(), world)
    _workers = Array[Worker](piece.workers.usize())
    _idle = Queue[U32](0, piece.workers.usize())
    _waiting = Queue[(U32, U32)]((0, 0), piece.browsers.usize())
    _used = Array[Bool].init(false, piece.workers.usize())
    _browsing = piece.browsers
    let browsers: Array[Browser] iso = recover Array[Browser] end
    for index in Range[U64](0, piece.browsers) do
      browsers.push(Browser(index, piece.requests, this, world))
    end
    _browsers = consume browsers
    for index in Range[U64](0, piece.workers) do
      _workers.push(Worker(index, piece.fib_n, this, _browsers, world))
      _idle.push(index.u32())
    end
    _role.ready()

  be start(sender: Name) =>
    _role.log(sender, DispatcherTakes.start())
    _stage.started(Time.nanos())
    for browser in _browsers.values() do
      browser.go(_role.name)
    end

  be request(sender: Name, number: U32) =>
    _role.log(sender, DispatcherTakes.request(), number.u64())
    _waiting.push((Names.index_of(sender).u32(), number))
    _assign()

  be idle(sender: Name) =>
    _role.log(sender, DispatcherTakes.idle())
    _idle.push(Names.index_of(sender).u32())
    _assign()
    _end_when_done()

  be finished(sender: Name, answers: U64, sum: U64) =>
    _role.log(sender, DispatcherTakes.finished(), answers, sum)
    _answers = _answers + answers
    _sum = _sum + sum
    _browsing = _browsing - 1
    _end_when_done()

  fun ref _assign() =>
    if (_waiting.size() == 0) or (_idle.size() == 0) or _role.ended then
      return
    end
    try
      (let browser, let number) = _waiting.pop()?
      let worker = _idle.pop()?.usize()
      _workers(worker)?.work(_role.name, browser, number)
      _used(worker)? = true
    else
      _role.failed("gives work to a worker that it does not know")
    end

  fun ref _end_when_done() =>
    if (_browsing == 0) and (_idle.size() == _workers.size()) then
      try
        while _idle.size() > 0 do
          _workers(_idle.pop()?.usize())?.stop(_role.name)
        end
      else
        _role.failed("stops a worker that it does not know")
      end
      var used: U64 = 0
      for worked in _used.values() do
        if worked then used = used + 1 end
      end
      _stage.done(Time.nanos(), _answers, _sum, used)
      _terminate()
    end

  be abandon() =>
    _terminate()

  fun ref _terminate() =>
    _browsers = []
    _workers.clear()
    _role.let_go()

  fun _final() =>
    _role.leave()

actor Worker
  """
  Computes, answers the browser, and is idle again.
  """
  let _fib_n: U64
  let _dispatcher: Dispatcher
  let _browsers: Array[Browser] val
  embed _role: Role

  new create(
    index: U64,
    fib_n: U64,
    dispatcher: Dispatcher,
    browsers: Array[Browser] val,
    world: World)
  =>
    _fib_n = fib_n
    _dispatcher = dispatcher
    _browsers = browsers
    _role = Role(Names.worker(index), world)
    _role.ready()

  be work(sender: Name, browser: U32, number: U32) =>
    _role.log(sender, WorkerTakes.work(), browser.u64(), number.u64())
    if _role.abandoned() then return end
    let value = Fibonacci(_fib_n).u32()
    try
      _browsers(browser.usize())?.answer(_role.name, number, value)
    else
      _role.unknown(Names.browser(browser.u64()))
    end
    _dispatcher.idle(_role.name)

  be stop(sender: Name) =>
    _role.log(sender, WorkerTakes.stop())
    _role.terminate()

  fun _final() =>
    _role.leave()

actor Browser
  """
  Asks, waits for the answer, asks again.
  """
  let _requests: U64
  let _dispatcher: Dispatcher
  embed _role: Role
  var _answers: U64 = 0
  var _sum: U64 = 0

  new create(index: U64, requests: U64, dispatcher: Dispatcher, world: World) =>
    _requests = requests
    _dispatcher = dispatcher
    _role = Role(Names.browser(index), world)
    _role.ready()

  be go(sender: Name) =>
    _role.log(sender, BrowserTakes.go())
    _dispatcher.request(_role.name, 0)

  be answer(sender: Name, number: U32, value: U32) =>
    _role.log(sender, BrowserTakes.answer(), number.u64(), value.u64())
    _answers = _answers + 1
    _sum = _sum + value.u64()
    if _answers < _requests then
      _dispatcher.request(_role.name, _answers.u32())
    else
      _dispatcher.finished(_role.name, _answers, _sum)
      _role.terminate()
    end

  fun _final() =>
    _role.leave()
