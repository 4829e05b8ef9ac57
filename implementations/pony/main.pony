use "buffered"

use @exit[None](status: I32)
use @pony_os_stdout[Pointer[U8]]()
use @pony_os_std_flush[None](file: Pointer[None] tag)
use @pony_os_std_print[None](
  file: Pointer[None] tag,
  buffer: Pointer[U8] tag,
  size: USize)

actor Main
  """
  Connects the control port to standard input and output.
  """
  new create(env: Env) =>
    let output = Output
    let control = Control(Runtime(env), output)
    env.input(Lines(control, output), 4096)

class iso Lines is InputNotify
  """
  Cuts the input into requests. The end of the input ends the process.
  """
  let _control: Control
  let _output: Output
  embed _reader: Reader = _reader.create()

  new iso create(control: Control, output: Output) =>
    _control = control
    _output = output

  fun ref apply(data: Array[U8] iso) =>
    _reader.append(consume data)
    try
      while true do
        _control.take(_reader.line()?)
      end
    end // until no whole line is left

  fun ref dispose() =>
    _output.exit(0)

actor Output
  """
  Standard output. `env.out` would do but for one thing: it cannot tell when a
  line has left, and the process must neither end before its last answer has
  nor wait for a world that is still busy, as a Pony program would.
  """
  be line(text: String) =>
    let stdout = @pony_os_stdout()
    @pony_os_std_print(stdout, text.cpointer(), text.size())
    @pony_os_std_flush(stdout)

  be exit(status: I32) =>
    @exit(status)
