/// Digests and checksums (ACT-8 to ACT-10). All arithmetic wraps at 32 bits.
module Dramaturg.Benchmarks.Fold

/// Folds a number into a digest.
let fold (digest: uint32) (number: uint32) =
    let h = digest * 1664525u + 1013904223u + number
    h ^^^ (h >>> 16)

/// What messages say whose value begins with the salt: two numbers folded into it.
let fold2 salt first second = fold (fold salt first) second

/// The digest of a payload of ChatApp, of its two halves.
let digest (payload: uint64) =
    fold (uint32 (payload >>> 32)) (uint32 payload)

/// What `make` says of each of the first `length` numbers of the stream from a key (ACT-11).
let inline stream (key: uint32) (length: int) (make: uint32 -> 'Made) =
    let made = Array.zeroCreate<'Made> length
    let mutable drawn = key

    for place in 0 .. length - 1 do
        drawn <- fold drawn (uint32 place)
        made.[place] <- make drawn

    made

/// The checksum of a list, from `start`.
let checksum (start: uint32) (numbers: uint32 []) =
    let mutable sum = start

    for number in numbers do
        sum <- 31u * sum + number

    sum

/// The checksum of a payload's bytes, from `start`.
let checksumOfBytes (start: uint32) (bytes: byte []) =
    let mutable sum = start

    for each in bytes do
        sum <- 31u * sum + uint32 each

    sum
