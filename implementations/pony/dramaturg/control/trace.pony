use "collections"
use "../json"
use "../world"

class Trace
  """
  The logs of a world, until they are asked for.
  """
  let _logs: Cell
  let _room: Cell
  embed _found: Array[LogReader] = _found.create()
  var _newest: Cell

  new create(cells: Cell) =>
    _logs = Watches.logs(cells)
    _room = Watches.room(cells)
    _newest = Cells.follow(_logs)

  fun ref limit(events: U64) =>
    """
    Lets no more than so many events be logged and not delivered, from now on,
    when nobody takes anything; 0 is no limit (CTRL-18).
    """
    var held: U64 = 0
    if events > 0 then
      _find()
      for log in _found.values() do held = held + log.held() end
    end
    Room.limit(_room, events, held)

  fun ref deliver(id: U64) =>
    """
    All that was logged and not yet delivered, and how many messages each
    watched actor has taken in all: that when there is no limit (CTRL-18).
    """
    let limited = Room.limited(_room)
    _find()
    let rows = Batches(id)
    for log in _found.values() do log.read(rows) end
    rows.send()
    let watched = if limited then 0 else _found.size() end
    let most = rows.most()
    for from in Range(0, watched, most) do
      (let actors, let counts) = (Array[Name], Array[U64])
      for log in _found.slice(from, from + most).values() do
        actors.push(log.name)
        counts.push(log.taken())
      end
      JsonLine(id) .> open("item") .> open("counts")
        .> numbers("actor", actors)
        .> numbers("taken", counts)
        .> send()
    end
    JsonLine(id) .> open("item") .> open("footer")
      .> number("events", rows.events)
      .> number("watched", watched.u64())
      .> send()
    JsonLine(id) .> yes("end") .> send()
    Room.delivered(_room, rows.events)

  fun ref discard() =>
    """
    Forget those who can't take anything any more.
    """
    _find()
    for log in _found.values() do log.discard() end
    _found.clear()
    Cells.write(_logs, 0)
    _newest = Cells.follow(_logs)

  fun ref _find() =>
    """
    The logs that are newer than those that were found before.
    """
    var log = Cells.follow(_logs)
    let newest = log
    while log != _newest do
      _found.push(LogReader(log))
      log = Cells.follow(log, Block.older())
    end
    _newest = newest

class LogReader
  """
  Reads a log, from where it was read before. What is read is gone.
  """
  let name: Name
  let _head: Cell
  var _block: Cell
  var _size: USize = Block.head()
  var _place: USize = Block.head()
  var _read: U64 = 0

  new create(head: Cell) =>
    name = Cells.read(head, Block.name())
    _head = head
    _block = head

  fun taken(): U64 =>
    Cells.read(_head, Block.taken())

  fun held(): U64 =>
    """
    Rows that were written and not read.
    """
    Cells.published(_head, Block.written()) - _read

  fun ref read(rows: Rows) =>
    let written = Cells.published(_head, Block.written())
    while _read < written do
      if not Block.fits(_place, _size) then
        _block = _leave(_block)
        _size = Block.after(_size)
        _place = Block.next() + 1
      end
      (let sender, let kind) = (_word(), _word().u32())
      rows.row(name, sender, kind)
      for _ in Range(0, Kinds.arity(kind)) do rows.argument(_word()) end
      _read = _read + 1
    end

  fun discard() =>
    """
    Frees what is left of it.
    """
    var block = _block
    while not block.is_null() do block = _leave(block) end
    Cells.discard(_head)

  fun ref _word(): U64 =>
    Cells.read(_block, _place = _place + 1)

  fun _leave(block: Cell): Cell =>
    """
    The next part, or null. This one is not needed any more, unless it is the
    head.
    """
    let next = Cells.follow(block, Block.next())
    if block != _head then Cells.discard(block) end
    next

interface Rows
  """
  Where the rows of a log go.
  """
  fun ref row(actor': Name, sender: Name, kind: U32)
    """
    The next row, whose arguments follow.
    """

  fun ref argument(value: U64)

class Batches is Rows
  """
  Rows on their way to the harness, so many in a line.
  """
  let _id: U64
  let _text: String ref = String
  var events: U64 = 0
  embed _actors: Array[Name] = _actors.create()
  embed _senders: Array[Name] = _senders.create()
  embed _kinds: Array[U32] = _kinds.create()
  embed _arguments: Array[U64] = _arguments.create()

  new create(id: U64) =>
    _id = id

  fun most(): USize =>
    """
    Half of what a line may have keeps it at some two megabytes of text.
    """
    32_768

  fun ref row(actor': Name, sender: Name, kind: U32) =>
    if _actors.size() == most() then send() end
    _actors.push(actor')
    _senders.push(sender)
    _kinds.push(kind)
    events = events + 1

  fun ref argument(value: U64) =>
    _arguments.push(value)

  fun ref send() =>
    """
    What has not been sent, if there is any.
    """
    if _actors.size() == 0 then return end
    JsonLine(_id, _text) .> open("item") .> open("batch")
      .> numbers("actor", _actors)
      .> numbers("sender", _senders)
      .> numbers[U32]("kind", _kinds)
      .> numbers("args", _arguments)
      .> send()
    _actors.clear()
    _senders.clear()
    _kinds.clear()
    _arguments.clear()
