use @__atomic_fetch_add_8[U64](cell: Cell, by: U64, order: I32)
use @__atomic_load_8[U64](cell: Cell, order: I32)
use @__atomic_store_8[None](cell: Cell, value: U64, order: I32)
use @calloc[Cell](count: USize, size: USize)
use @free[None](cell: Cell)

// A word, or the first of several, for what cannot be sent in a message: a
// finaliser may send none, and who is asked by one may be busy. It is C's,
// since every object of Pony's that an actor can reach has entries in its
// tables, and those are most of what a small actor costs.
type Cell is Pointer[U64] tag

primitive Cells
  """
  Pony has no atomics of its own; libatomic does the reading and writing, which
  ponyc links into every program. Always in order 0, relaxed: a cell guards
  nothing but itself.
  """
  fun make(count: USize = 1): Cell =>
    @calloc(count, 8)

  fun discard(cell: Cell) =>
    @free(cell)

  fun read(cell: Cell, place: USize = 0): U64 =>
    @__atomic_load_8(cell.offset(place), 0)

  fun write(cell: Cell, value: U64, place: USize = 0) =>
    @__atomic_store_8(cell.offset(place), value, 0)

  fun add(cell: Cell, by: U64) =>
    @__atomic_fetch_add_8(cell, by, 0)
