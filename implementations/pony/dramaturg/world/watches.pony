use "collections"

primitive Watches
  """
  The rows of Prepare in cells, where whoever is born looks once for its own.
  The cell before them counts the living.
  """
  fun cells(): Cell =>
    Cells.make(_rows() + (16 * _fields().size()))

  fun write(world: Cell, rows: ReadSeq[Parameters] val) =>
    """
    For each class a mask of the rows that may fit it; behind these the rows.
    """
    for class' in Range(0, _classes()) do
      Cells.write(world, 0, _masks() + class')
    end
    var row: USize = 0
    for watch in rows.values() do
      for (place, field) in _fields().pairs() do
        Cells.write(world, watch.number(field).u64(), _row(row) + place)
      end
      let first = watch.number("class").usize()
      for class' in
        if first == 0 then Range(1, _classes()) else Range(first, first + 1) end
      do
        let mask = _masks() + class'
        Cells.write(world, Cells.read(world, mask) or (1 << row.u64()), mask)
      end
      row = row + 1
    end

  fun log(name: Name, world: World): (Log | None) =>
    """
    The log of a newborn actor, if it is watched.
    """
    (let control, let cells') = world
    let mask = _masks() + Names.class_of(name).usize()
    var rows = Cells.read(cells', mask)
    let index = Names.index_of(name).u64()
    while rows != 0 do
      let row = _row(rows.ctz().usize())
      if
        ((index % Cells.read(cells', row)) == Cells.read(cells', row + 1))
          and (index >= Cells.read(cells', row + 2))
          and (index <= Cells.read(cells', row + 3))
      then
        return Log(
          name,
          control,
          Cells.read(cells', row + 4),
          Cells.read(cells', row + 5))
      end
      rows = rows and (rows - 1)
    end
    None

  fun _fields(): Array[String] val =>
    ["modulus"; "remainder"; "first"; "last"; "from"; "events"]

  fun _masks(): USize =>
    """
    Not beside the count of the living, which all cores write.
    """
    8

  fun _classes(): USize =>
    128

  fun _rows(): USize =>
    _masks() + _classes()

  fun _row(number: USize): USize =>
    _rows() + (number * 6)
