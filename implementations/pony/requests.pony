use "buffered"

class iso Requests is InputNotify
  """
  Cuts the input into requests for the control port. What ends the process or
  the world is heard here already, since the actor that reads standard input
  is the one that need not wait for its turn: its events come from outside.
  """
  let _control: Control
  let _curtain: Curtain
  embed _reader: Reader = _reader.create()

  new iso create(control: Control, curtain: Curtain) =>
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

  fun ref dispose() =>
    """
    The end of the input.
    """
    Wire.exit(0)
