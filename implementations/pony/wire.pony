use @exit[None](status: I32)
use @pony_os_stdout[Pointer[U8]]()
use @pony_os_stderr[Pointer[U8]]()
use @fflush[I32](file: Pointer[U8] tag)
use @fwrite[USize](
  bytes: Pointer[U8] tag,
  size: USize,
  count: USize,
  file: Pointer[U8] tag)

primitive Wire
  """
  Standard output, without the actor that `env.out` is: in a busy world that
  would wait for its turn behind all others, and it cannot tell when a line has
  left. Any actor may write; `fwrite` locks the file, so that each line stays
  in one piece. (The runtime's own functions do not lock it.)
  """
  fun line(text: String) =>
    _write(@pony_os_stdout(), text)

  fun complain(text: String) =>
    _write(@pony_os_stderr(), text)

  fun exit(status: I32) =>
    """
    End the process now. A Pony program ends by itself when all actors are
    idle, which those of a world that is under way are not.
    """
    @exit(status)

  fun _write(file: Pointer[U8], text: String) =>
    let line' =
      recover val String(text.size() + 1) .> append(text) .> push('\n') end
    @fwrite(line'.cpointer(), line'.size(), 1, file)
    @fflush(file)
