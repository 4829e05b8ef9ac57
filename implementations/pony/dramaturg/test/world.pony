use "pony_test"
use "../control"
use "../json"
use "../world"

use @pthread_create[I32](
  thread: Pointer[USize] tag,
  attributes: Pointer[None] tag,
  start: @{(Cell): USize},
  argument: Cell)
use @usleep[I32](micros: U32)

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
  be readings(
    due: Array[U64] val,
    arrived: Array[U64] val,
    answered: Array[U64] val)
  =>
    None

  be done(at: U64, arguments: Array[U64] val, shortest: U64 = 0) => None
  be failed(name: Name, reason: String) => None

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

class _Expected is Rows
  """
  Rows as the test below writes them, from the second message on.
  """
  var rows: U64 = 0
  var wrong: U64 = 0
  var _left: U64 = 0
  var _due: U64 = 0

  fun tag kind(number: U64): U32 =>
    match number % 4
    | 0 => Kinds.poker_finished()
    | 1 => Kinds.counter_get_and_reset()
    | 2 => Kinds.poker_confirm()
    else Kinds.client_act()
    end

  fun ref row(actor': Name, sender: Name, kind': U32) =>
    let number = rows + 2
    if (_left != 0) or (sender != number) or (kind' != kind(number)) then
      wrong = wrong + 1
    end
    rows = rows + 1
    _due = number
    _left = Kinds.arity(kind').u64()

  fun ref argument(value: U64) =>
    if (_left == 0) or (value != _due) then wrong = wrong + 1 end
    _due = _due + 1
    _left = _left - 1

class iso _ALogIsReadAsItWasWritten is UnitTest
  """
  Over many parts, in several reads, of which two come with nothing to read.
  """
  fun name(): String => "watches: a log is read as it was written"

  fun apply(h: TestHelper) ? =>
    (_, let cells) =
      _Watching(
        [ _Row(
            0,
            "\"modulus\":1,\"remainder\":0,\"first\":0,\"last\":4294967295,"
              + "\"from\":2,\"events\":4294967295") ])?
    let log = Watches.log(Names(Classes.client(), 7), (_Deaf, cells)) as Log
    let reader = LogReader(Cells.follow(Watches.logs(cells)))
    h.assert_eq[Name](Names(Classes.client(), 7), reader.name)
    let rows: _Expected ref = _Expected
    var n: U64 = 0
    for upto in [as U64: 1; 2; 5; 5; 100; 9_000].values() do
      while n < upto do
        log.took(
          n, rows.kind(n), (n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7))
        n = n + 1
      end
      reader.read(rows)
      h.assert_eq[U64](n, reader.taken())
      h.assert_eq[U64](n.max(2) - 2, rows.rows)
    end
    h.assert_eq[U64](0, rows.wrong)
    reader.discard()

class iso _LogsAreFound is UnitTest
  fun name(): String => "watches: logs are found, the newest first"

  fun apply(h: TestHelper) ? =>
    let world =
      _Watching(
        [ _Row(
            0,
            "\"modulus\":1,\"remainder\":0,\"first\":0,\"last\":4294967295,"
              + "\"from\":0,\"events\":1") ])?
    for index in [as U32: 3; 1; 2].values() do
      Watches.log(Names(Classes.link(), index), world)
    end
    let found = Array[U32]
    var log = Cells.follow(Watches.logs(world._2))
    while not log.is_null() do
      found.push(Names.index_of(Cells.read(log, Block.name())))
      log = Cells.follow(log, Block.older())
    end
    h.assert_array_eq[U32]([2; 1; 3], found)

class iso _ALogTakesRoomForItsSlice is UnitTest
  """
  It would wait for ever if it took more.
  """
  fun name(): String => "room: a log takes it for its slice"

  fun apply(h: TestHelper) ? =>
    let world =
      _Watching(
        [ _Row(
            0,
            "\"modulus\":1,\"remainder\":0,\"first\":0,\"last\":4294967295,"
              + "\"from\":1,\"events\":2") ])?
    let log = Watches.log(Names(Classes.link(), 5), world) as Log
    let reader = LogReader(Cells.follow(Watches.logs(world._2)))
    Room.limit(Watches.room(world._2), 2, 0)
    for n in [as U64: 2; 3; 4; 5].values() do
      log.took(n, Kinds.link_grow(), (n, n + 1, 0, 0, 0, 0, 0, 0))
    end
    h.assert_eq[U64](2, reader.held())
    reader.read(_Expected)
    h.assert_eq[U64](0, reader.held())

class iso _RoomIsWaitedFor is UnitTest
  """
  By two threads, which take 20 in all. They are C's, so that no scheduler
  thread has to wait. Behind the room is a cell in which they count.
  """
  fun name(): String => "room: is exact, and waited for"

  fun apply(h: TestHelper) =>
    let room = Cells.make(3)
    Room.limit(room, 5, 2)
    for _ in [as U8: 1; 2].values() do
      var thread: USize = 0
      @pthread_create(
        addressof thread,
        Pointer[None],
        @{(room': Cell): USize =>
          var left: USize = 10
          while left > 0 do
            Room.take(room')
            Cells.add(room'.offset(2), 1)
            left = left - 1
          end
          0
        },
        room)
    end
    h.assert_eq[U64](3, _taken(room, 3))
    Room.delivered(room, 4)
    h.assert_eq[U64](7, _taken(room, 7))
    h.assert_true(Room.limited(room))
    Room.open(room)
    h.assert_false(Room.limited(room))
    h.assert_eq[U64](20, _taken(room, 20))

  fun _taken(room: Cell, expected: U64): U64 =>
    """
    How many have been taken, a while after as many as expected.
    """
    var patience: USize = 5000
    while (Cells.read(room, 2) < expected) and (patience > 0) do
      @usleep(1000)
      patience = patience - 1
    end
    @usleep(20_000)
    Cells.read(room, 2)
