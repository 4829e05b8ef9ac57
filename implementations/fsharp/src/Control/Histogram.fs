/// Histograms of a receipt, in the buckets of the specification (OPEN-5).
module Dramaturg.Control.Histogram

open System.Numerics

/// The bucket that so many nanoseconds are in.
let bucketOf (nanos: uint64) =
    let shift = max 0 (56 - BitOperations.LeadingZeroCount nanos)
    128 * shift + int (nanos >>> shift)

/// How many of these times are in each bucket, from bucket 0 to the last that has one.
let counts (nanos: uint64 []) =
    let buckets = Array.map bucketOf nanos
    let counts = Array.zeroCreate<uint64> (Array.max buckets + 1)

    for bucket in buckets do
        counts.[bucket] <- counts.[bucket] + 1UL

    List.ofArray counts
