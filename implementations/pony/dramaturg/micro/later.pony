use "time"
use "../actor"

primitive Later
  """
  Messages by the runtime's timer, which come after a while and no sooner.

  The timer rounds time down to 2^n nanoseconds, and so would be early by as
  much. With the default, about a millisecond, that would be much of a nap; with
  65 microseconds its wheels still reach further than any delay.
  """
  fun timers(): Timers =>
    Timers(_slop())

  fun apply(timers': Timers, milliseconds: U64, message: {()} val) =>
    timers'(
      Timer(_Once(message), (milliseconds * 1_000_000) + (1 << _slop().u64())))

  fun close(timers': Timers) =>
    """
    Forget what is still to come. The timers would hold on to those to whom they
    sent something until their garbage is worth collecting, so this is their
    last message: collect it.
    """
    timers'.dispose()
    timers'(Timer(_Once({() => Collect() }), 0))

  fun _slop(): USize =>
    16

class iso _Once is TimerNotify
  let _message: {()} val

  new iso create(message: {()} val) =>
    _message = message

  fun ref apply(timer: Timer, count: U64): Bool =>
    _message()
    false
