/// Chain (spec/chain.md): each actor makes the next.
module Dramaturg.Benchmarks.Chain

open System.Diagnostics
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

type LinkMessage =
    | Grow of left: uint32 * digest: uint32
    | Finish of length: uint32 * digest: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Grow (left, digest) -> events.Add(Kind.LinkGrow, uint64 left, uint64 digest)
            | Finish (length, digest) -> events.Add(Kind.LinkFinish, uint64 length, uint64 digest)

/// `maker` is who made it. Nobody made the first.
type private Link(world: World, index: uint32, me: Address<LinkMessage>, maker: Address<LinkMessage> option) =
    inherit Actor<LinkMessage>()

    let name = Name.ofFirst Class.Link index

    let finish length digest =
        match maker with
        | Some maker -> maker.Send(name, Finish(length, digest))
        | None -> world.Report(Done([ uint64 length; uint64 digest ], Stopwatch.GetTimestamp()))

        Ends

    override _.Take(_, message) =
        match message with
        | Grow (0u, digest) -> finish 1u (fold digest 0u)
        | Grow (left, digest) ->
            let next = Link.Spawn(world, index + 1u, Some me)
            next.Send(name, Grow(left - 1u, fold digest left))
            Lives
        | Finish (length, digest) -> finish (length + 1u) (fold digest length)

    static member Spawn(world: World, index, maker) : Address<LinkMessage> =
        let me = world.Mailbox<LinkMessage>()
        world.Spawn(Name.ofFirst Class.Link index, me, fun () -> Link(world, index, me, maker))
        upcast me

let populate (world: World) (parameter: Parameters) =
    let lead = Link.Spawn(world, 0u, None)
    Benchmark.ending (fun salt -> lead.Tell(Grow(parameter "length" - 1u, salt)))
