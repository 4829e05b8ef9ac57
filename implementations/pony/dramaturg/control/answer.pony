use @pony_os_stdout[Pointer[U8]]()
use @fflush[I32](file: Pointer[U8] tag)
use @fwrite[USize](
  bytes: Pointer[U8] tag,
  size: USize,
  count: USize,
  file: Pointer[U8] tag)

class Answer
  """
  A line of standard output: a JSON object, written as it is composed. What is
  open is closed when it is sent.

  It goes past the actor that `env.out` is, which in a busy world would wait for
  its turn behind all others.
  """
  let _text: String ref = String(256)
  let _closing: String ref = String

  new create(id: U64) =>
    _text.push('{')
    _closing.push('}')
    _key("id")
    _digits(id)

  fun ref open(name: String, bracket: String = "{}") =>
    _key(name)
    try
      _text.push(bracket(0)?)
      _closing.push(bracket(1)?)
    end

  fun ref close() =>
    try _text.push(_closing.pop()?) end

  fun ref number(name: String, value: U64) =>
    _key(name)
    _digits(value)

  fun ref numbers[A: Unsigned val](name: String, values: Array[A] box) =>
    _key(name)
    _text.push('[')
    for (i, value) in values.pairs() do
      if i > 0 then _text.push(',') end
      _digits(value.u64())
    end
    _text.push(']')

  fun ref string(name: String, value: String) =>
    _key(name)
    _text.push('"')
    for byte in value.values() do
      match byte
      | '"' => _text.append("\\\"")
      | '\\' => _text.append("\\\\")
      | let control: U8 if control < ' ' => _text.push(' ')
      else _text.push(byte)
      end
    end
    _text.push('"')

  fun ref yes(name: String) =>
    _key(name)
    _text.append("true")

  fun ref send() =>
    while _closing.size() > 0 do close() end
    _text.push('\n')
    let out = @pony_os_stdout()
    @fwrite(_text.cpointer(), _text.size(), 1, out)
    @fflush(out)

  fun ref _key(name: String) =>
    """
    An item of a list has none.
    """
    match try _text(_text.size() - 1)? else '{' end
    | '{' | '[' => None
    else _text.push(',')
    end
    if name != "" then
      _text .> push('"') .> append(name) .> append("\":")
    end

  fun ref _digits(value: U64) =>
    """
    Without the string that `string()` would allocate: a trace has hundreds of
    thousands of numbers.
    """
    if value > 9 then _digits(value / 10) end
    _text.push('0' + (value % 10).u8())
