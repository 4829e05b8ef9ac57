use "actor_pinning"
use "backpressure"
use "buffered"
use "../json"
use "../world"

actor Requests
  """
  Cuts what comes from standard input into lines, answers those that ask for a
  trace, and hands all others to the control port.

  Traces are asked for while all schedulers compute, when it can be minutes
  until an actor has its turn. So this one has a thread of its own, by the
  runtime's means for that, and reads there. There is one such thread for all
  actors, so what this one waits for, nobody else may wait for in that way.
  """
  let _err: OutStream
  let _port: ControlPort
  let _pin: PinUnpinActorAuth
  let _input: I32
  embed _trace: Trace
  embed _reader: Reader = _reader.create()

  new create(env: Env, port: ControlPort, cells: Cell) =>
    _err = env.err
    _port = port
    _pin = PinUnpinActorAuth(env.root)
    _input = Input()
    _trace = Trace(cells)
    ActorPinning.request_pin(_pin)
    // Who is under pressure itself is not muted, however long the mailbox of
    // whom it writes to.
    Backpressure(ApplyReleaseBackpressureAuth(env.root))
    _read()

  be _read() =>
    // Before it is pinned it would keep others waiting.
    if ActorPinning.is_successfully_pinned(_pin) then
      let data = recover Array[U8] .> undefined(4096) end
      match @read(_input, data.cpointer(), data.size())
      | let size: ISize if size > 0 =>
        data.truncate(size.usize())
        _reader.append(consume data)
        try
          while true do
            _take(_reader.line()?)
          end
        end // when no whole line is left
      end
    end
    _read()

  fun ref _take(line: String) =>
    try
      let message = JsonObject.parse(line)?
      let id = message("id") as U64
      let request = message.member("request")?
      match message("call") as String
      | "trace" => _trace.deliver(id)
      | let call: String =>
        match call
        | "prepare" => _trace.discard()
        | "run" => _trace.limit(request.number("log_limit").u64())
        end
        _port.take(id, call, request)
      end
    else
      _err.print("this is no request: " + line)
    end
