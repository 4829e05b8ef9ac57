use "actor_pinning"
use "buffered"

use @poll[I32](files: _PollFile tag, count: USize, milliseconds: I32)
use @read[ISize](file: I32, bytes: Pointer[U8] tag, size: USize)

actor Requests
  """
  Reads standard input and cuts it into requests for the control port. What
  concerns no world is answered here, and what ends one is heard here already.

  This is a thread of its own, by the runtime's means for that. `env.input` is
  an actor like any other, and in a world that computes it can be minutes until
  all others had their turn; but the end of the input must end the process
  whatever it is doing, and an abandoned world must hear that it is.
  """
  let _runtime: Runtime
  let _control: Control
  let _curtain: Curtain
  let _pin: PinUnpinActorAuth
  embed _reader: Reader = _reader.create()

  new create(runtime: Runtime, control: Control, curtain: Curtain) =>
    _runtime = runtime
    _control = control
    _curtain = curtain
    _pin = PinUnpinActorAuth(runtime.root)
    ActorPinning.request_pin(_pin)
    _read()

  be _read() =>
    // Before it is pinned it would keep others waiting.
    if ActorPinning.is_successfully_pinned(_pin) then
      match _StandardInput.read()
      | let data: Array[U8] iso => _reader.append(consume data)
      | EndOfInput => Wire.exit(0)
      end
      try
        while true do
          _take(_reader.line()?)
        end
      end // when no whole line is left
    end
    _read()

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

primitive EndOfInput

primitive _StandardInput
  fun read(): (Array[U8] iso^ | EndOfInput | None) =>
    """
    Waits for input or its end, but no longer than the runtime may be without
    this thread, for which it has messages of its own.
    """
    if @poll(_PollFile, 1, 100) <= 0 then return None end
    let data = recover iso Array[U8] .> undefined(4096) end
    let size = @read(0, data.cpointer(), data.size())
    if size == 0 then return EndOfInput end
    if size < 0 then return None end // interrupted by a signal
    data.truncate(size.usize())
    consume data

struct _PollFile
  """
  C's `struct pollfd` that asks whether there is standard input.
  """
  let _file: I32 = 0
  let _events: I16 = 1
  let _happened: I16 = 0
