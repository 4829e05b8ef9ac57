use "time"

primitive Stopwatch
  """
  Both ends of the run time (MEAS-3), by one monotonic clock, in nanoseconds.
  """
  fun start(lead: Lead, salt: U32): U64 =>
    """
    The moment before control hands over its first message, which it then does.
    """
    let at = now()
    lead.run(salt)
    at

  fun stop(): U64 =>
    """
    The moment at which a lead has done what it does upon its last message but
    for reporting, or at which the poker takes a `confirm`.
    """
    now()

  fun now(): U64 =>
    Time.nanos()
