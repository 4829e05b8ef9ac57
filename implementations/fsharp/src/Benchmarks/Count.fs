/// Count (spec/count.md): many adders, one counter.
module Dramaturg.Benchmarks.Count

open System.Diagnostics
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

let private tallyName = Name.ofFirst Class.Tally 0u
let private counterName = Name.ofFirst Class.Counter 0u

type TallyMessage =
    | Start of salt: uint32
    | Counted of adds: uint64 * sum: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Start salt -> events.Add(Kind.TallyStart, uint64 salt)
            | Counted (adds, sum) -> events.Add(Kind.TallyCounted, adds, uint64 sum)

type AdderMessage =
    | Go of salt: uint32
    | Total of adds: uint64 * sum: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Go salt -> events.Add(Kind.AdderGo, uint64 salt)
            | Total (adds, sum) -> events.Add(Kind.AdderTotal, adds, uint64 sum)

type CounterMessage =
    | Add of value: uint32
    | GetAndReset

    interface IMessage with
        member this.Describe events =
            match this with
            | Add value -> events.Add(Kind.CounterAdd, uint64 value)
            | GetAndReset -> events.Add Kind.CounterGetAndReset

type private Tally(world: World, adders: Address<AdderMessage> []) =
    inherit Actor<TallyMessage>()

    let mutable answered = 0
    let mutable adds = 0UL
    let mutable sum = 0u

    override _.Take(_, message) =
        match message with
        | Start salt ->
            for adder in adders do
                adder.Send(tallyName, Go salt)

            Lives
        | Counted (others, value) ->
            adds <- adds + others
            sum <- sum + value
            answered <- answered + 1

            if answered < adders.Length then
                Lives
            else
                world.Report(Done([ adds; uint64 sum ], Stopwatch.GetTimestamp()))
                Ends

type private Adder(index: uint32, tally: Address<TallyMessage>, counter: Address<CounterMessage>, adds: uint32) =
    inherit Actor<AdderMessage>()

    let name = Name.ofFirst Class.Adder index

    override _.Take(_, message) =
        match message with
        | Go salt ->
            let mutable n = 0u

            while n < adds do
                counter.Send(name, Add(fold2 salt index n))
                n <- n + 1u

            counter.Send(name, GetAndReset)
            Lives
        | Total (adds, sum) ->
            tally.Send(name, Counted(adds, sum))
            Ends

type private Counter(adders: Address<AdderMessage> []) =
    inherit Actor<CounterMessage>()

    let mutable adds = 0UL
    let mutable sum = 0u
    let mutable asked = 0

    override _.Take(from, message) =
        match message with
        | Add value ->
            adds <- adds + 1UL
            sum <- sum + value
            Lives
        | GetAndReset ->
            adders.[int (Name.first from)].Send(counterName, Total(adds, sum))
            adds <- 0UL
            sum <- 0u
            asked <- asked + 1
            if asked = adders.Length then Ends else Lives

let populate (world: World) (parameter: Parameters) =
    let tally = world.Mailbox<TallyMessage>()
    let counter = world.Mailbox<CounterMessage>()

    let adders =
        Array.init (int (parameter "adders")) (fun index ->
            let index = uint32 index
            let adder = world.Mailbox<AdderMessage>()
            world.Spawn(Name.ofFirst Class.Adder index, adder, fun () -> Adder(index, tally, counter, parameter "adds"))
            adder :> Address<AdderMessage>)

    world.Spawn(counterName, counter, fun () -> Counter adders)
    world.Spawn(tallyName, tally, fun () -> Tally(world, adders))
    Benchmark.ending (Start >> tally.Tell)
