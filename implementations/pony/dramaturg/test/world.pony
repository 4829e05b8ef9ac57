use "pony_test"
use "../json"
use "../world"

class val _Row
  """
  A row of Prepare, as the harness sends it.
  """
  let _class: U64
  let _slice: String

  new val create(class': U64, slice: String) =>
    _class = class'
    _slice = slice

  fun parse(): Parameters ? =>
    JsonObject.parse("{\"class\":" + _class.string() + "," + _slice + "}")?

primitive _Watching
  fun apply(rows: Array[_Row]): World ? =>
    let parameters = Array[Parameters]
    for row in rows.values() do parameters.push(row.parse()?) end
    let cells = Watches.cells()
    Watches.write(cells, parameters.values())
    (_Deaf, cells)

actor _Deaf is Control
  """
  Listens to nobody.
  """
  be ready() => None
  be confirmed(turn: U32, sums: TurnSums, began: U64, ended: U64) => None
  be finished(sums: Arguments) => None
  be window(count: U64, at: U64) => None
  be readings(arrived: Array[U64] val, answered: Array[U64] val) => None
  be done(at: U64, a: U64, b: U64, c: U64 = 0, d: U64 = 0) => None
  be failed(name: Name, reason: String) => None
  be born(name: Name, taken: Cell) => None
  be took(actor': Name, sender: Name, kind: U32, arguments: Arguments) => None

class iso _NamesAreSpelt is UnitTest
  fun name(): String => "names: are spelt"

  fun apply(h: TestHelper) =>
    h.assert_eq[String]("client/17", Names.spell(Names(Classes.client(), 17)))
    h.assert_eq[String](
      "chat/4294967295.2", Names.spell(Names(Classes.chat(), -1, 2)))
    h.assert_eq[U32](-1, Names.index_of(Names(Classes.chat(), -1, 2)))

class iso _TheFirstRowThatFitsWatches is UnitTest
  fun name(): String => "watches: the first row that fits watches"

  fun apply(h: TestHelper) ? =>
    let world =
      _Watching(
        [ _Row(
            Classes.client(),
            "\"modulus\":3,\"remainder\":1,\"first\":4,\"last\":10,"
              + "\"from\":1,\"events\":1")
          _Row(
            Classes.client(),
            "\"modulus\":1,\"remainder\":0,\"first\":7,\"last\":8,"
              + "\"from\":0,\"events\":1")
        ])?
    for (index, due) in
      [ as (U32, (Bool | None)):
        (1, None); (4, false); (5, None); (7, false); (8, true); (9, None)
        (10, false); (13, None) ].values()
    do
      let found =
        match Watches.log(Names(Classes.client(), index), world)
        | let log: Log => log.due()
        | None => None
        end
      h.assert_true(found is due, "client/" + index.string())
    end
    h.assert_true(Watches.log(Names(Classes.chat(), 4), world) is None)

class iso _AWatchKeepsItsSliceAndCountsAll is UnitTest
  fun name(): String => "watches: a log keeps its slice"

  fun apply(h: TestHelper) ? =>
    let world =
      _Watching(
        [ _Row(
            0,
            "\"modulus\":1,\"remainder\":0,\"first\":0,\"last\":4294967295,"
              + "\"from\":1,\"events\":2") ])?
    let log = Watches.log(Names(Classes.link(), 5), world) as Log
    let due = Array[Bool]
    while due.size() < 4 do
      due.push(log.due())
      log.took(0, 0, (0, 0, 0, 0, 0, 0, 0, 0))
    end
    h.assert_array_eq[Bool]([false; true; true; false], due)

class iso _NobodyIsWatchedWithoutRows is UnitTest
  fun name(): String => "watches: nobody is watched without rows"

  fun apply(h: TestHelper) ? =>
    let world = _Watching([])?
    h.assert_true(Watches.log(Names(Classes.link(), 5), world) is None)
