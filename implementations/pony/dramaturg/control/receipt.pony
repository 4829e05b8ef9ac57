use "../arithmetic"
use "../json"
use "../world"

class Receipt
  """
  What was done in a world since Prepare (`Receipt` of benchmarks.proto).
  """
  let _benchmark: String
  var _arguments: Array[U64] = []
  var _shortest: U64 = 0
  var _finished: (Arguments | None) = None
  var confirms: U64 = 0
  var _fib_sum: U64 = 0
  var _stops: U64 = 0
  var _announced: U32 = 0
  var _consumed: U32 = 0
  var _began: U64 = 0
  var _opened: U64 = 0
  var _run_nanos: U64 = 0
  embed windows: Array[U64] = windows.create()
  embed _nanos: Array[U64] = _nanos.create()
  var _lateness: Histogram = Histogram
  var _latency: Histogram = Histogram

  new create(benchmark: String) =>
    _benchmark = benchmark

  fun ref begin_run(at: U64) =>
    _began = at
    _opened = at

  fun ref end_run(at: U64) =>
    _run_nanos = at - _began

  fun ref confirmed(turn: U32, sums: TurnSums, began: U64, ended: U64) =>
    if turn == 0 then begin_run(began) end
    confirms = confirms + 1
    _fib_sum = _fib_sum + sums._1
    _stops = _stops + sums._2
    _announced = _announced + sums._3
    _consumed = _consumed + sums._4
    // In a run, turns may be confirmed in any order.
    while _nanos.size() <= turn.usize() do _nanos.push(0) end
    try _nanos(turn.usize())? = ended - began end

  fun ref done(arguments: Array[U64] val, shortest: U64) =>
    """
    What is kept is not the lead's: it would be kept alive.
    """
    _arguments = arguments.clone()
    _shortest = shortest

  fun ref finished(sums: Arguments) =>
    _finished = sums

  fun ref window(count: U64, at: U64) =>
    windows.push(count)
    _nanos.push(at - (_opened = at))

  fun ref readings(
    due: Array[U64] val,
    arrived: Array[U64] val,
    answered: Array[U64] val)
  =>
    """
    What is kept of them is not the lead's: it would be kept alive.
    """
    _lateness = Histogram.of(due, arrived, _began)
    _latency = Histogram.of(due, answered, _began)

  fun write(answer: JsonLine, teardown_nanos: U64, alive: U64): JsonLine =>
    answer.open("receipt")
    match _finished
    | let sums: Arguments => _write_chatapp(answer, sums)
    | None => _write_done(answer)
    end
    answer .> close()
      .> number("run_nanos", _run_nanos)
      .> number("teardown_nanos", teardown_nanos)
      .> number("alive", alive)

  fun _write_chatapp(answer: JsonLine, sums: Arguments) =>
    (let lcg, let computes, let posts, let leaves, let invites, let nones,
      let deliveries, let joins) = sums
    answer
      .> open(_benchmark)
      .> number("computes", computes)
      .> number("posts", posts)
      .> number("leaves", leaves)
      .> number("invites", invites)
      .> number("nones", nones)
      .> number("joins", joins)
      .> number("deliveries", deliveries)
      .> number("lcg_checksum", lcg)
      .> number("fib_sum", _fib_sum)
      .> number("confirms", confirms)
      .> number("stops", _stops)
      .> number("announced", _announced.u64())
      .> number("consumed", _consumed.u64())
      .> numbers("turn_nanos", _nanos)

  fun _write_done(answer: JsonLine) =>
    answer
      .> open("done")
      .> string("benchmark", _benchmark)
      .> numbers("arguments", _arguments)
      .> number("shortest_nanos", _shortest)
      .> numbers("windows", windows)
      .> numbers("window_nanos", _nanos)
      .> numbers("latency", _latency.counts)
      .> numbers("lateness", _lateness.counts)
