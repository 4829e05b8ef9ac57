use "../arithmetic"
use "../json"
use "../world"

class Receipt
  """
  What was done in a world since Prepare (`Receipt` of benchmarks.proto).
  """
  let _benchmark: String
  let _names: Array[String] val
  var counts: Array[U64] = []
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
  var _lateness: Array[U64] = []
  var _latency: Array[U64] = []

  new create(benchmark: String, names: Array[String] val) =>
    _benchmark = benchmark
    _names = names

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

  fun ref finished(s: Arguments) =>
    counts =
      [ s._1; s._2; s._3; s._4; s._5; s._6; s._7; s._8
        _fib_sum; _stops; _announced.u64(); _consumed.u64(); confirms ]

  fun ref window(count: U64, at: U64) =>
    windows.push(count)
    _nanos.push(at - (_opened = at))

  fun ref readings(arrived: Array[U64] val, answered: Array[U64] val) =>
    """
    What is kept of them is not the lead's: it would be kept alive.
    """
    _lateness = Histogram(arrived, _began)
    _latency = Histogram(answered, _began)

  fun write(answer: JsonLine, teardown_nanos: U64, alive: U64): JsonLine =>
    answer .> open("receipt") .> open(_benchmark)
    for (place, name) in _names.pairs() do
      answer.number(name, try counts(place)? else 0 end)
    end
    if windows.size() > 0 then
      answer .> numbers("windows", windows) .> numbers("window_nanos", _nanos)
    elseif confirms > 0 then
      answer.numbers("turn_nanos", _nanos)
    elseif _latency.size() > 0 then
      answer .> numbers("latency", _latency) .> numbers("lateness", _lateness)
    end
    answer .> close()
      .> number("run_nanos", _run_nanos)
      .> number("teardown_nanos", teardown_nanos)
      .> number("alive", alive)
