use "time"
use "../actor"
use "../world"

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

  fun exact_timers(): Timers =>
    """
    For moments: with a microsecond the wheels reach 17 s.
    """
    Timers(_exact_slop())

  fun at(timers': Timers, nanos: U64, message: {()} val) =>
    """
    At a moment of the stopwatch; at once, if it is over.
    """
    let now = Stopwatch.now()
    let grain = U64(1) << _exact_slop().u64()
    let left = if nanos > now then (nanos - now) + grain else 0 end
    timers'(Timer(_Once(message), left))

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

  fun _exact_slop(): USize =>
    10

class iso _Once is TimerNotify
  let _message: {()} val

  new iso create(message: {()} val) =>
    _message = message

  fun ref apply(timer: Timer, count: U64): Bool =>
    _message()
    false
