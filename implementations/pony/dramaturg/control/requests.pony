use "actor_pinning"
use "backpressure"
use "buffered"

use @_exit[None](status: I32)
use @read[ISize](file: I32, bytes: Pointer[U8] tag, size: USize)

actor Requests
  """
  Reads standard input and cuts it into lines for the control port.

  The end of the input must end the process whatever is under way. `env.input`
  is an actor like any other, and while the schedulers compute it can be minutes
  until it has its turn; so can what the runtime's own event loop sends. So this
  one has a thread of its own, by the runtime's means for that, and reads there.
  """
  let _port: ControlPort
  let _pin: PinUnpinActorAuth
  embed _reader: Reader = _reader.create()

  new create(root: AmbientAuth, port: ControlPort) =>
    _port = port
    _pin = PinUnpinActorAuth(root)
    ActorPinning.request_pin(_pin)
    // Who is under pressure itself is not muted, however long the mailbox of
    // whom it writes to.
    Backpressure(ApplyReleaseBackpressureAuth(root))
    _read()

  be _read() =>
    // Before it is pinned it would keep others waiting.
    if ActorPinning.is_successfully_pinned(_pin) then
      let data = recover Array[U8] .> undefined(4096) end
      match @read(0, data.cpointer(), data.size())
      | 0 => @_exit(0)
      | let size: ISize if size > 0 =>
        data.truncate(size.usize())
        _reader.append(consume data)
        try
          while true do
            _port.take(_reader.line()?)
          end
        end // when no whole line is left
      end
    end
    _read()
