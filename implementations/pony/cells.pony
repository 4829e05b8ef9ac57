use @__atomic_fetch_add_8[U64](cell: Cell tag, by: U64, order: I32)
use @__atomic_load_8[U64](cell: Cell tag, order: I32)
use @__atomic_store_8[None](cell: Cell tag, value: U64, order: I32)

struct Cell
  """
  A word for what is outside of the program and cannot be sent in a message,
  since finalisers may send none and mailboxes have no priorities. Pony has no
  atomics of its own; libatomic does the reading and writing, which ponyc links
  into every program.
  """
  var _value: U64 = 0

primitive Cells
  fun read(cell: Cell tag): U64 =>
    @__atomic_load_8(cell, _relaxed())

  fun write(cell: Cell tag, value: U64) =>
    @__atomic_store_8(cell, value, _relaxed())

  fun add(cell: Cell tag, by: U64) =>
    @__atomic_fetch_add_8(cell, by, _relaxed())

  fun _relaxed(): I32 =>
    """
    The memory order: a cell guards nothing but itself.
    """
    0
