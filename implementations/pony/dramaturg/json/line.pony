use @fflush[I32](file: Pointer[None])
use @puts[I32](text: Pointer[U8] tag)

class JsonLine
  """
  A line of standard output: a JSON object, written as it is composed. What is
  open is closed when it is sent.

  It goes past the actor that `env.out` is, which in a busy world would wait for
  its turn behind all others.
  """
  let _text: String ref
  let _closing: String ref = String

  new create(id: U64, text: String ref = String(256)) =>
    """
    The line is written over the content of `text`. A caller with many long
    lines gives the same string to all: the runtime collects no garbage before
    a message has been dealt with.
    """
    _text = text
    _text.clear()
    _text.append("{\"id\":")
    _digits(id)
    _closing.push('}')

  fun ref open(name: String, brackets: String = "{}") =>
    _name(name)
    _text.append(brackets, 0, 1)
    _closing.append(brackets, 1, 1)

  fun ref close() =>
    try _text.push(_closing.pop()?) end

  fun ref number(name: String, value: U64) =>
    _name(name)
    _digits(value)

  fun ref numbers[A: Unsigned val = U64](
    name: String,
    values: Array[A] box)
  =>
    open(name, "[]")
    for value in values.values() do
      _comma()
      _digits(value.u64())
    end
    close()

  fun ref string(name: String, value: String) =>
    let escaped = value.clone()
    escaped .> replace("\\", "\\\\") .> replace("\"", "\\\"")
    _name(name)
    _text .> push('"') .> append(consume escaped) .> push('"')

  fun ref yes(name: String) =>
    _name(name)
    _text.append("true")

  fun ref send() =>
    while _closing.size() > 0 do close() end
    @puts(_text.cstring())
    @fflush(Pointer[None])

  fun ref _name(name: String) =>
    """
    An item of a list has none.
    """
    _comma()
    if name != "" then _text .> push('"') .> append(name) .> append("\":") end

  fun ref _comma() =>
    match try _text(_text.size() - 1)? end
    | '{' | '[' => None
    else _text.push(',')
    end

  fun ref _digits(value: U64) =>
    """
    Without the string that `string()` would allocate: a trace has hundreds of
    thousands of numbers.
    """
    if value > 9 then _digits(value / 10) end
    _text.push('0' + (value % 10).u8())
