use "time"

trait tag Stage
  """
  The control port's side of one world and one iteration: says `control`'s
  lines to the lead actor, hears what the actors tell `control`, and takes the
  time. One for ChatApp, and one for all others.
  """
  be prepare()
    """
    Bring the first actors to life; tells control `prepared` once all is quiet.
    """

  be ready()
    """
    What had to be set up is: one of those who are there at first has become
    quiet.
    """

  be run()
    """
    Play the whole iteration; tells control `finished`.
    """

  be progress()
    """
    Tells control `progressed`.
    """

  be disconnect()
    """
    End the iteration before it was run; tells control `finished`.
    """

  be close()
    """
    Give back what the iteration left; tells control `closed`.
    """

  be abandon()
    """
    Drop the world as it stands; tells nobody.
    """

  be failed(actor': Name, reason: String)
    """
    An actor of this world met what cannot happen.
    """

class StageClock
  """
  Time spent on stage: what passes between two calls does not count.
  """
  var _since: U64 = 0
  var _spent: U64 = 0

  fun ref start() =>
    _since = Time.nanos()

  fun ref stop() =>
    _spent = _spent + (Time.nanos() - _since)

  fun spent(): U64 =>
    _spent

primitive WhenEmpty
  """
  Actors end in their own time. Waits until `alive` counts none, at most five
  seconds, and then says how many there are.
  """
  fun apply(timers: Timers, alive: {(): U64} val, done: {(U64)} val) =>
    if alive() == 0 then
      done(0)
    else
      timers(Timer(_Poll(alive, done), 1_000_000, 1_000_000))
    end

class iso _Poll is TimerNotify
  let _alive: {(): U64} val
  let _done: {(U64)} val
  let _deadline: U64 = Time.nanos() + 5_000_000_000

  new iso create(alive: {(): U64} val, done: {(U64)} val) =>
    _alive = alive
    _done = done

  fun ref apply(timer: Timer, ticks: U64): Bool =>
    let alive = _alive()
    if (alive > 0) and (Time.nanos() < _deadline) then return true end
    _done(alive)
    false
