use "collections"

primitive Watches
  """
  The rows of Prepare in cells, where whoever is born looks once for its own.
  The first cell counts the living. Behind the rows one leads to the newest log,
  and the last two are the log's room.
  """
  fun cells(): Cell =>
    Cells.make(_room() + 2)

  fun logs(world: Cell): Cell =>
    world.offset(_mask(_classes()))

  fun room(world: Cell): Cell =>
    world.offset(_room())

  fun write(world: Cell, rows: Iterator[Parameters]) =>
    """
    For each class there is a mask of the rows that may fit it.
    """
    for class' in Range[U64](0, _classes()) do
      Cells.write(world, 0, _mask(class'))
    end
    let fields = ["modulus"; "remainder"; "first"; "last"; "from"; "events"]
    var number: USize = 0
    for row in rows do
      let wanted = row.number("class").u64()
      for class' in Range[U64](0, _classes()) do
        if (wanted == 0) or (wanted == class') then
          let mask = Cells.read(world, _mask(class')) or (1 << number.u64())
          Cells.write(world, mask, _mask(class'))
        end
      end
      for (place, field) in fields.pairs() do
        Cells.write(world, row.number(field).u64(), _row(number) + place)
      end
      number = number + 1
    end

  fun log(name: Name, world: World): (Log | None) =>
    """
    The log of a newborn actor, if it is watched.
    """
    (_, let cells') = world
    var rows = Cells.read(cells', _mask(Names.class_of(name)))
    let index = Names.index_of(name).u64()
    while rows != 0 do
      let row = _row(rows.ctz().usize())
      if ((index % Cells.read(cells', row)) == Cells.read(cells', row + 1))
        and (index >= Cells.read(cells', row + 2))
        and (index <= Cells.read(cells', row + 3))
      then
        let events = Cells.read(cells', row + 5)
        return Log(name, cells', Cells.read(cells', row + 4), events)
      end
      rows = rows and (rows - 1)
    end
    None

  fun _classes(): U64 =>
    128

  fun _row(number: USize): USize =>
    """
    Not beside the count of the living, which all cores write.
    """
    8 + (number * 6)

  fun _mask(class': U64): USize =>
    _row(16) + class'.usize()

  fun _room(): USize =>
    """
    Not beside the newest log, which all cores write.
    """
    _mask(_classes()) + 8
