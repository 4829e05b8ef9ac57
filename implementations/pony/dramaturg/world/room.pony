use @usleep[I32](micros: U32)

primitive Room
  """
  The room that the log limit leaves for events that are not delivered yet
  (CTRL-18), in two cells: the limit, 0 for none, and how many events are held.
  """
  fun limited(room: Cell): Bool =>
    Cells.read(room) != 0

  fun limit(room: Cell, events: U64, held: U64) =>
    """
    Lets so many be held, of which some are held already, when nobody takes
    room.
    """
    Cells.write(room, held, 1)
    Cells.write(room, events)

  fun open(room: Cell) =>
    """
    Ends the limit. Actors that wait go on.
    """
    Cells.write(room, 0)

  fun take(room: Cell) =>
    """
    Takes the room of one event. While the log is full the scheduler thread
    sleeps: Pony's actors cannot wait, and traces have another thread.
    """
    var limit' = Cells.read(room)
    while (limit' != 0) and (Cells.add(room.offset(1), 1) >= limit') do
      delivered(room, 1)
      @usleep(1000)
      limit' = Cells.read(room)
    end

  fun delivered(room: Cell, events: U64) =>
    """
    Gives the room of these events back.
    """
    Cells.add(room.offset(1), -events)
