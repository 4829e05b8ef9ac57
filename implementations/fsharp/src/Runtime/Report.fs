/// What leads tell control (ACT-7). Nobody logs it. Stamps are `Stopwatch`'s.
namespace Dramaturg.Runtime

/// A `confirmed` with the poker's stamps (MEAS-2).
type Confirmed =
    { Turn: uint32
      Value: uint64
      Stops: uint64
      Announced: uint32
      Consumed: uint32
      Began: int64
      Ended: int64 }

type Report =
    /// The poker: set-up is done.
    | Ready
    /// The poker: a turn is complete.
    | Confirmed of Confirmed
    /// The poker: everybody else has ended, and these are the sums.
    | Finished of uint64 list
    /// A lead that counts windows: one has ended.
    | Window of count: uint64 * ended: int64
    /// The source, before it is done, by requests: when each was due, in nanoseconds after the start of
    /// the run, and what the clock said. That start is control's, so histograms are made there (OPEN-5).
    | Readings of due: uint64 [] * answered: int64 [] * arrived: int64 []
    /// The alarm, before it is done: of all naps, in nanoseconds (SLEEP-5).
    | Shortest of nanos: uint64
    /// Any other lead: everything is done.
    | Done of arguments: uint64 list * ended: int64
    /// An actor has failed (CTRL-10).
    | Failed of actor: Name * reason: string
