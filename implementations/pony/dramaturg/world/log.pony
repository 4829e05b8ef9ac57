// The arguments of a message; those that it lacks are 0.
type Arguments is (U64, U64, U64, U64, U64, U64, U64, U64)

primitive Block
  """
  A part of a log, in cells. The first word leads to the next part, and rows
  follow: sender, kind, and the arguments that the kind has. In place of rows,
  the first part has a head.
  """
  fun next(): USize => 0

  // In the head: the log that was made before this one, whose log it is, how
  // many messages that actor took, and how many rows it has written.
  fun older(): USize => 1
  fun name(): USize => 2
  fun taken(): USize => 3
  fun written(): USize => 4
  fun head(): USize => 5

  fun after(size: USize): USize =>
    """
    How many words the part has that follows one of this size. At most 4 KiB:
    what was read is freed part by part, and many actors have a log.
    """
    (size * 2).max(32).min(512)

  fun fits(place: USize, size: USize): Bool =>
    """
    Whether the longest row does.
    """
    (place + 10) <= size

class Log
  """
  The log of a watched actor (TRACE-1). The actor writes its rows where control
  reads them: sent to control as messages, they would lie before what ends a
  run, and the answer would wait until control has taken them all.
  """
  let _from: U64
  let _events: U64
  let _room: Cell
  let _head: Cell
  var _block: Cell
  var _size: USize = Block.head()
  var _place: USize = Block.head()
  var _count: U64 = 0
  var _written: U64 = 0

  new create(name: Name, world: Cell, from: U64, events: U64) =>
    _from = from
    _events = if events == U32.max_value().u64() then -1 else events end
    _room = Watches.room(world)
    _head = Cells.make(_size)
    _block = _head
    Cells.write(_head, name, Block.name())
    Cells.push(Watches.logs(world), _head, Block.older())

  fun due(): Bool =>
    """
    Whether the next message belongs to the slice that is kept.
    """
    (_count >= _from) and ((_count - _from) < _events)

  fun ref took(sender: Name, kind: U32, arguments: Arguments) =>
    if due() then
      Room.take(_room)
      _row(sender, kind, arguments)
    end
    _count = _count + 1
    Cells.write(_head, _count, Block.taken())

  fun ref _row(sender: Name, kind: U32, arguments: Arguments) =>
    if not Block.fits(_place, _size) then _grow() end
    _word(sender)
    _word(kind.u64())
    let many = Kinds.arity(kind)
    if many > 0 then _word(arguments._1) end
    if many > 1 then _word(arguments._2) end
    if many > 2 then _word(arguments._3) end
    if many > 3 then _word(arguments._4) end
    if many > 4 then _word(arguments._5) end
    if many > 5 then _word(arguments._6) end
    if many > 6 then _word(arguments._7) end
    if many > 7 then _word(arguments._8) end
    _written = _written + 1
    Cells.publish(_head, _written, Block.written())

  fun ref _word(value: U64) =>
    Cells.write(_block, value, _place)
    _place = _place + 1

  fun ref _grow() =>
    _size = Block.after(_size)
    let block = Cells.make(_size)
    Cells.publish(_block, block.usize().u64(), Block.next())
    _block = block
    _place = Block.next() + 1
