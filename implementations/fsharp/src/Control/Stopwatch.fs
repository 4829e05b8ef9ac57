/// The stopwatch of an iteration (MEAS-2 to MEAS-4): what the stamps add up to.
///
/// Leads take their own stamps and report them. All are of the monotonic clock.
namespace Dramaturg.Control

open System.Diagnostics

module Stopwatch =
    let now = Stopwatch.GetTimestamp

    /// Nanoseconds from one stamp to another.
    let nanos (from: int64) (until: int64) =
        let ticks = uint64 (until - from)
        let second = uint64 Stopwatch.Frequency
        // Whole seconds for themselves: a product of all would not fit after 18 s.
        ticks / second * 1_000_000_000UL
        + ticks % second * 1_000_000_000UL / second

/// Says when a mark is due. `taken` is when `Run` was.
type Marks(taken: int64) =
    let mutable last = taken

    /// Whether a mark has to be sent upon what has just been reported: no sooner than 100 ms
    /// after the last (CTRL-6).
    member _.IsDue() =
        let now = Stopwatch.now ()
        let due = Stopwatch.nanos last now >= 100_000_000UL
        if due then last <- now
        due
