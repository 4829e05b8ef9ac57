use @__atomic_fetch_add_8[U64](cell: Cell, by: U64, order: I32)
use @__atomic_load_8[U64](cell: Cell, order: I32)
use @__atomic_store_8[None](cell: Cell, value: U64, order: I32)
use @calloc[Cell](count: USize, size: USize)
use @free[None](cell: Cell)

// A word for what is outside of the program and cannot be sent in a message,
// since finalisers may send none and mailboxes have no priorities. It is C's:
// every object of Pony's that an actor can reach costs its garbage collector
// more than such an actor costs otherwise.
type Cell is Pointer[U64] tag

primitive Cells
  """
  Pony has no atomics of its own; libatomic does the reading and writing, which
  ponyc links into every program.
  """
  fun make(): Cell =>
    @calloc(1, 8)

  fun discard(cell: Cell) =>
    @free(cell)

  fun read(cell: Cell): U64 =>
    @__atomic_load_8(cell, _relaxed())

  fun write(cell: Cell, value: U64) =>
    @__atomic_store_8(cell, value, _relaxed())

  fun add(cell: Cell, by: U64): U64 =>
    """
    What it was before.
    """
    @__atomic_fetch_add_8(cell, by, _relaxed())

  fun _relaxed(): I32 =>
    """
    The memory order: a cell guards nothing but itself.
    """
    0
