/// The random generator (spec/lcg.md).
namespace Dramaturg.Benchmarks

/// A generator of its own for every actor that draws. `seed` is 0..65535.
[<Sealed>]
type Lcg(seed: uint32) =
    let mutable state = seed

    /// Its state, which is also the last output.
    member _.State = state

    /// Draws the next output (LCG-1).
    member _.Draw() =
        state <- (1309u * state + 13849u) &&& 0xffffu
        state

    /// Draws a number below `limit`, or the output itself for 0 (LCG-2).
    member this.NextInt(limit: uint32) =
        let output = this.Draw()
        if limit = 0u then output else output % limit

    /// Shuffles in place, with one draw fewer than there are elements (LCG-3).
    member this.Shuffle(list: ResizeArray<'Element>) =
        for last in list.Count - 1 .. -1 .. 1 do
            let other = int (this.NextInt(uint32 last + 1u))
            let moved = list.[last]
            list.[last] <- list.[other]
            list.[other] <- moved
