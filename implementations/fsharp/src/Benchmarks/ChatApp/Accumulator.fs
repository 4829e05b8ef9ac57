/// An accumulator: counts the work of one turn in units, on three levels.
module Dramaturg.Benchmarks.ChatApp.Accumulator

open Dramaturg.Runtime
open Dramaturg.Runtime.Table

type private Accumulator(turn: uint32, units: uint64, poker: Address<PokerMessage>) =
    inherit Actor<AccumulatorMessage>()

    let expected = [| units; 0UL; 0UL |]
    let consumed = [| 0UL; 0UL; 0UL |]
    let mutable value = 0UL
    let mutable stops = 0UL
    let mutable announced = 0u
    let mutable taken = 0u

    let stop level said =
        consumed.[level] <- consumed.[level] + 1UL

        if level = 0 then
            value <- value + said
        else
            stops <- stops + 1UL
            taken <- taken + uint32 said

    let bump level n digest =
        expected.[level + 1] <- expected.[level + 1] + n
        consumed.[level] <- consumed.[level] + 1UL
        announced <- announced + digest

    let isComplete () =
        consumed.[0] = expected.[0]
        && consumed.[1] = expected.[1]
        && consumed.[2] = expected.[2]

    override _.Take(_, message) =
        match message with
        | Stop (level, said) -> stop level said
        | Bump (level, n, digest) -> bump level n digest

        if isComplete () then
            let name = Name.ofFirst Class.Accumulator turn
            poker.Send(name, Confirm(turn, value, stops, announced, taken))
            Ends
        else
            Lives

/// The accumulator of a turn, with the units that it expects at level 0.
let spawn (world: World) turn units poker =
    let me = world.Mailbox<AccumulatorMessage>()
    world.Spawn(Name.ofFirst Class.Accumulator turn, me, fun () -> Accumulator(turn, units, poker))
    me :> Accumulating
