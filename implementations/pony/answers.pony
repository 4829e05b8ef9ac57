class val Refusal
  """
  Why a call fails: a gRPC status name and a text for people.
  """
  let code: String
  let message: String

  new val invalid(message': String) =>
    code = "INVALID_ARGUMENT"
    message = message'

  new val precondition(message': String) =>
    code = "FAILED_PRECONDITION"
    message = message'

  new val unimplemented(message': String) =>
    code = "UNIMPLEMENTED"
    message = message'

  new val internal(message': String) =>
    code = "INTERNAL"
    message = message'

  new val cancelled(message': String) =>
    code = "CANCELLED"
    message = message'

primitive Answer
  """
  The lines of an answer (spec/stdio.md).
  """
  fun reply(id: I64, body: String): String =>
    "{\"id\":" + id.string() + ",\"reply\":" + body + "}"

  fun item(id: I64, kind: String, body: String): String =>
    "{\"id\":" + id.string() + ",\"item\":{\"" + kind + "\":" + body + "}}"

  fun end_of_stream(id: I64): String =>
    "{\"id\":" + id.string() + ",\"end\":true}"

  fun refusal(id: I64, refusal': Refusal): String =>
    "{\"id\":" + id.string() + ",\"error\":{\"code\":"
      + Quoted(refusal'.code) + ",\"message\":" + Quoted(refusal'.message)
      + "}}"

primitive Quoted
  """
  A JSON string.
  """
  fun apply(text: String): String iso^ =>
    let quoted = recover iso String(text.size() + 2) end
    quoted.push('"')
    for byte in text.values() do
      match byte
      | '"' => quoted.append("\\\"")
      | '\\' => quoted.append("\\\\")
      | let control: U8 if control < ' ' => quoted.push(' ')
      else quoted.push(byte)
      end
    end
    quoted.push('"')
    consume quoted

// Nanoseconds of the iteration, nanoseconds of its run, actors still alive.
type Outcome is (U64, U64, U64)

primitive Receipts
  """
  What one iteration did, as a `Receipt`.
  """
  fun chatapp(
    sums: Sums,
    fib_sum: U64,
    confirms: U64,
    turn_nanos: Array[U64] box,
    outcome: Outcome)
    : String
  =>
    let text = recover iso String(turn_nanos.size() * 10) end
    text.append("{\"chatapp\":{\"computes\":" + sums._2.string())
    text.append(",\"posts\":" + sums._3.string())
    text.append(",\"leaves\":" + sums._4.string())
    text.append(",\"invites\":" + sums._5.string())
    text.append(",\"nones\":" + sums._6.string())
    text.append(",\"joins\":" + sums._8.string())
    text.append(",\"deliveries\":" + sums._7.string())
    text.append(",\"lcg_checksum\":" + sums._1.string())
    text.append(",\"fib_sum\":" + fib_sum.string())
    text.append(",\"confirms\":" + confirms.string())
    text.append(",\"turn_nanos\":")
    let text' = Decimals.list[U64](consume text, turn_nanos)
    text'.append("}")
    _outcome(consume text', outcome)

  fun micro(
    piece: Piece,
    done: Done,
    windows: Array[U64] box,
    window_nanos: Array[U64] box,
    outcome: Outcome)
    : String
  =>
    var text = recover iso String end
    text.append("{\"" + piece.name() + "\":{")
    for (i, (count, value)) in piece.receipt(done).pairs() do
      if i > 0 then text.push(',') end
      text.append("\"" + count + "\":" + value.string())
    end
    if windows.size() > 0 then
      text.append(",\"windows\":")
      text = Decimals.list[U64](consume text, windows)
      text.append(",\"window_nanos\":")
      text = Decimals.list[U64](consume text, window_nanos)
    end
    text.push('}')
    _outcome(consume text, outcome)

  fun progress(iteration: U64, done: U64, total: U64): String =>
    "{\"iteration\":" + iteration.string() + ",\"done\":" + done.string()
      + ",\"total\":" + total.string() + "}"

  fun _outcome(text: String iso, outcome: Outcome): String =>
    let text' = consume text
    text'.append(",\"iteration_nanos\":" + outcome._1.string())
    text'.append(",\"run_nanos\":" + outcome._2.string())
    text'.append(",\"alive\":" + outcome._3.string() + "}")
    consume text'
