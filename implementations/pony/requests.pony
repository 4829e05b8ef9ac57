use "buffered"

class iso Requests is InputNotify
  """
  Cuts the input into requests for the control port. What concerns no world is
  answered here, and what ends one is heard here already: the actor that reads
  standard input need not wait for its turn in a busy world, as its events come
  from outside.
  """
  let _runtime: Runtime
  let _control: Control
  let _curtain: Curtain
  embed _reader: Reader = _reader.create()

  new iso create(runtime: Runtime, control: Control, curtain: Curtain) =>
    _runtime = runtime
    _control = control
    _curtain = curtain

  fun ref apply(data: Array[U8] iso) =>
    _reader.append(consume data)
    try
      while true do
        _take(_reader.line()?)
      end
    end // when no whole line is left

  fun _take(line: String) =>
    try
      let message = JsonObject.parse(line)?
      let id = message("id") as I64
      let call = message("call") as String
      let request = message("request") as JsonObject
      match (call, request("abandon"))
      | ("describe", _) =>
        _describe(id, request)
        return
      | ("shutdown", _) =>
        Wire.line(Answer.reply(id, "{}"))
        Wire.exit(0)
      | ("teardown", true) =>
        _curtain.drop_curtain()
      end
      _control.take(id, call, request)
    else
      // Without an id there is nobody to answer to.
      Wire.complain("this is no request: " + line)
      Wire.exit(1)
    end

  fun _describe(id: I64, request: JsonObject) =>
    match Decode.probes(request)
    | let refusal: Refusal =>
      Wire.line(Answer.refusal(id, refusal))
    | let answers: String =>
      Wire.line(Answer.reply(id, _runtime.description(answers)))
    end

  fun ref dispose() =>
    """
    The end of the input.
    """
    Wire.exit(0)
