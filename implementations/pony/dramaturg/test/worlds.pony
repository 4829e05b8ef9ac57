use "pony_test"
use "time"
use "../actor"
use "../control"
use "../json"
use "../micro"
use "../world"

class iso _ARunReportsAndNobodyIsLeft is UnitTest
  let _benchmark: String

  new iso create(benchmark: String) =>
    _benchmark = benchmark

  fun name(): String => _benchmark + ": a run reports, and nobody is left"

  fun apply(h: TestHelper) =>
    h.long_test(10_000_000_000)
    _Driver(h, _benchmark).run()

actor _Driver is Control
  """
  Has one world run, be disconnected and end.
  """
  let _h: TestHelper
  let _benchmark: String
  let _cells: Cell = Watches.cells()
  let _timers: Timers = Later.timers()
  var _lead: Lead = Nobody
  var _unborn: U64 = 0
  var _confirms: U64 = 0

  new create(h: TestHelper, benchmark: String) =>
    _h = h
    _benchmark = benchmark

  be run() =>
    try
      let parameters = JsonObject.parse(_Benchmarks.parameters(_benchmark))?
      _lead = Benchmarks(_benchmark, parameters, (this, _cells))?
      _unborn = _lead.births()
    else
      _h.fail("there is no such benchmark")
    end

  be ready() =>
    _unborn = _unborn - 1
    if _unborn == 0 then _lead.run(42) end

  be confirmed(turn: U32, sums: TurnSums, began: U64, ended: U64) =>
    _h.assert_eq[U32](sums._3, sums._4, "announced and consumed")
    _confirms = _confirms + 1
    if _confirms == _lead.marks() then _lead.disconnect() end

  be window(count: U64, at: U64) =>
    None

  be readings(
    due: Array[U64] val,
    arrived: Array[U64] val,
    answered: Array[U64] val)
  =>
    None

  be done(at: U64, arguments: Array[U64] val, shortest: U64 = 0) =>
    _lead.disconnect()
    _forget()

  be finished(sums: Arguments) =>
    _forget()

  fun ref _forget() =>
    _lead = Nobody
    Collect()
    _look()

  be _look() =>
    """
    Until the test is over, which fails after a while.
    """
    if Cells.read(_cells) == 0 then
      let logs = Cells.read(Watches.logs(_cells))
      _h.assert_eq[U64](logs, 0, "nobody is watched")
      _h.complete(true)
    else
      Later(_timers, 1, {()(self: _Driver = this) => self._look() })
    end

  be failed(name: Name, reason: String) =>
    _h.fail(Names.spell(name) + " " + reason)
