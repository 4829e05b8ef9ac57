/// Fanout (spec/fanout.md): one master, many runners.
module Dramaturg.Benchmarks.Fanout

open System.Diagnostics
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

let private masterName = Name.ofFirst Class.Master 0u

type MasterMessage =
    | Start of salt: uint32
    | Completed of number: uint32 * value: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Start salt -> events.Add(Kind.MasterStart, uint64 salt)
            | Completed (number, value) -> events.Add(Kind.MasterCompleted, uint64 number, uint64 value)

type RunnerMessage =
    | Task of number: uint32 * value: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Task (number, value) -> events.Add(Kind.RunnerTask, uint64 number, uint64 value)

type private Master(world: World, runners: Address<RunnerMessage> [], tasks: uint32, window: uint32) =
    inherit Actor<MasterMessage>()

    // How many tasks each runner has been given.
    let given = Array.zeroCreate<uint32> runners.Length
    let all = uint64 runners.Length * uint64 tasks
    let mutable salt = 0u
    let mutable completed = 0UL
    let mutable sum = 0u

    let give runner =
        let number = given.[runner]
        given.[runner] <- number + 1u
        runners.[runner].Send(masterName, Task(number, fold2 salt (uint32 runner) number))

    let start () =
        let rounds = if window = 0u then tasks else min window tasks
        let mutable round = 0u

        while round < rounds do
            for runner in 0 .. runners.Length - 1 do
                give runner

            round <- round + 1u

    override _.Take(from, message) =
        match message with
        | Start said ->
            salt <- said
            start ()
            Lives
        | Completed (_, value) ->
            completed <- completed + 1UL
            sum <- sum + value
            let runner = int (Name.first from)
            if given.[runner] < tasks then give runner

            if completed < all then
                Lives
            else
                world.Report(Done([ completed; uint64 sum ], Stopwatch.GetTimestamp()))
                Ends

type private Runner(name: Name, master: Address<MasterMessage>, tasks: uint32) =
    inherit Actor<RunnerMessage>()

    let mutable taken = 0u

    override _.Take(_, Task (number, value)) =
        master.Send(name, Completed(number, fold value taken))
        taken <- taken + 1u
        if taken = tasks then Ends else Lives

let populate (world: World) (parameter: Parameters) =
    let tasks = parameter "tasks"
    let master = world.Mailbox<MasterMessage>()

    let runners =
        Array.init (int (parameter "runners")) (fun index ->
            let name = Name.ofFirst Class.Runner (uint32 index)
            let runner = world.Mailbox<RunnerMessage>()
            world.Spawn(name, runner, fun () -> Runner(name, master, tasks))
            runner :> Address<RunnerMessage>)

    world.Spawn(masterName, master, fun () -> Master(world, runners, tasks, parameter "window"))
    Benchmark.ending (Start >> master.Tell)
