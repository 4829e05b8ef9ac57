class Receipt
  """
  What was done in a world since Prepare (`Receipt` of benchmarks.proto).
  """
  let _benchmark: String
  let _names: Array[String] val
  var _values: Array[U64] = []
  var confirms: U64 = 0
  var _fib_sum: U64 = 0
  var _stops: U64 = 0
  var _announced: U32 = 0
  var _consumed: U32 = 0
  embed _turn_nanos: Array[U64] = _turn_nanos.create()
  embed windows: Array[U64] = windows.create()
  embed _window_nanos: Array[U64] = _window_nanos.create()
  var _began: U64 = 0
  var _opened: U64 = 0
  var _run_nanos: U64 = 0

  new create(benchmark: String, names: Array[String] val) =>
    _benchmark = benchmark
    _names = names

  fun ref begin(at: U64) =>
    """
    Of the run, and of its first window.
    """
    _began = at
    _opened = at

  fun ref end_run(at: U64) =>
    _run_nanos = at - _began

  fun ref report(values: Array[U64]) =>
    _values = values

  fun ref confirmed(
    turn: U32,
    value: U64,
    stops: U64,
    announced: U32,
    consumed: U32,
    began: U64,
    ended: U64)
  =>
    confirms = confirms + 1
    _fib_sum = _fib_sum + value
    _stops = _stops + stops
    _announced = _announced + announced
    _consumed = _consumed + consumed
    if turn == 0 then begin(began) end
    // In a run, turns may be confirmed in any order.
    while _turn_nanos.size() <= turn.usize() do _turn_nanos.push(0) end
    try _turn_nanos(turn.usize())? = ended - began end

  fun ref window(count: U64, at: U64) =>
    windows.push(count)
    _window_nanos.push(at - (_opened = at))

  fun write(answer: Answer, teardown_nanos: U64, alive: U64) =>
    answer .> open("receipt") .> open(_benchmark)
    for (place, name) in _names.pairs() do
      answer.number(name, try _values(place)? else 0 end)
    end
    if _benchmark == "chatapp" then
      answer
        .> number("fib_sum", _fib_sum)
        .> number("confirms", confirms)
        .> number("stops", _stops)
        .> number("announced", _announced.u64())
        .> number("consumed", _consumed.u64())
        .> numbers[U64]("turn_nanos", _turn_nanos)
    end
    if windows.size() > 0 then
      answer
        .> numbers[U64]("windows", windows)
        .> numbers[U64]("window_nanos", _window_nanos)
    end
    answer
      .> close()
      .> number("run_nanos", _run_nanos)
      .> number("teardown_nanos", teardown_nanos)
      .> number("alive", alive)
