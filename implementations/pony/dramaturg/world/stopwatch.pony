use "time"

primitive Stopwatch
  """
  Both ends of the run time (MEAS-3), by one monotonic clock, in nanoseconds.
  """
  fun now(): U64 =>
    Time.nanos()

  fun start(lead: Lead, salt: U32): U64 =>
    """
    The moment before control hands over its first message.
    """
    let at = now()
    lead.run(salt)
    at

  fun stop(
    control: Control,
    a: U64,
    b: U64 = 0,
    c: U64 = 0,
    d: U64 = 0,
    at: U64 = Time.nanos())
  =>
    """
    The moment at which a lead has taken its last message.
    """
    control.done(at, a, b, c, d)
