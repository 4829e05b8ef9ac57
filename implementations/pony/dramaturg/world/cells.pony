use @__atomic_compare_exchange_8[Bool](
  cell: Cell, expected: Cell, value: U64, success: I32, failure: I32)
use @__atomic_fetch_add_8[U64](cell: Cell, by: U64, order: I32)
use @__atomic_load_8[Cell](cell: Cell, order: I32)
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
  ponyc links into every program. In order 0, relaxed, a cell guards nothing but
  itself. Who publishes, and who looks for what was published, says so.
  """
  fun make(count: USize = 1): Cell =>
    @calloc(count, 8)

  fun discard(cell: Cell) =>
    @free(cell)

  fun read(cell: Cell, place: USize = 0): U64 =>
    @__atomic_load_8(cell.offset(place), 0).usize().u64()

  fun published(cell: Cell, place: USize = 0): U64 =>
    """
    What is read after this is at least what was written before it was
    published.
    """
    @__atomic_load_8(cell.offset(place), 2).usize().u64()

  fun follow(cell: Cell, place: USize = 0): Cell =>
    """
    The cell that was published there, or null.
    """
    @__atomic_load_8(cell.offset(place), 2)

  fun write(cell: Cell, value: U64, place: USize = 0) =>
    @__atomic_store_8(cell.offset(place), value, 0)

  fun publish(cell: Cell, value: U64, place: USize = 0) =>
    @__atomic_store_8(cell.offset(place), value, 3)

  fun add(cell: Cell, by: U64): U64 =>
    """
    What it was before.
    """
    @__atomic_fetch_add_8(cell, by, 0)

  fun push(list: Cell, cell: Cell, place: USize) =>
    """
    Publishes a cell as the first of a list, from which nobody takes one; its
    word at `place` leads to who was first before.
    """
    var first = read(list)
    repeat
      write(cell, first, place)
    until
      @__atomic_compare_exchange_8(
        list, addressof first, cell.usize().u64(), 3, 0)
    end
