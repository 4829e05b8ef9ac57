/// Histograms of a receipt, in the buckets of the specification (OPEN-5).
module Dramaturg.Control.Histogram

open System.Numerics

/// The bucket that so many nanoseconds are in.
let bucketOf (nanos: uint64) =
    let shift = max 0 (56 - BitOperations.LeadingZeroCount nanos)
    128 * shift + int (nanos >>> shift)

/// How many requests are in each bucket, from bucket 0 to the last that has one, by when each was
/// due and what the clock said, both in nanoseconds after the start of the run (OPEN-9).
let counts (due: uint64 []) (readings: uint64 []) =
    let buckets = Array.map2 (fun due reading -> bucketOf (reading - due)) due readings
    let counts = Array.zeroCreate<uint64> (Array.fold max -1 buckets + 1)

    for bucket in buckets do
        counts.[bucket] <- counts.[bucket] + 1UL

    List.ofArray counts
