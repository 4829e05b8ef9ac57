/// Sleepers (spec/sleepers.md): many timers, no thread that waits.
module Dramaturg.Benchmarks.Sleepers

open System.Diagnostics
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

let private alarmName = Name.ofFirst Class.Alarm 0u

type AlarmMessage =
    | Start of salt: uint32
    | Awake of number: uint32 * value: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Start salt -> events.Add(Kind.AlarmStart, uint64 salt)
            | Awake (number, value) -> events.Add(Kind.AlarmAwake, uint64 number, uint64 value)

type SleeperMessage =
    | Sleep of number: uint32 * value: uint32
    | Wake of number: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Sleep (number, value) -> events.Add(Kind.SleeperSleep, uint64 number, uint64 value)
            | Wake number -> events.Add(Kind.SleeperWake, uint64 number)

type private Alarm(world: World, sleepers: Address<SleeperMessage> [], naps: uint32) =
    inherit Actor<AlarmMessage>()

    let all = uint64 sleepers.Length * uint64 naps
    let mutable salt = 0u
    let mutable awoken = 0UL
    let mutable sum = 0u

    let sendToSleep sleeper number =
        sleepers.[sleeper].Send(alarmName, Sleep(number, fold2 salt (uint32 sleeper) number))

    override _.Take(from, message) =
        match message with
        | Start said ->
            salt <- said

            for sleeper in 0 .. sleepers.Length - 1 do
                sendToSleep sleeper 0u

            Lives
        | Awake (number, value) ->
            awoken <- awoken + 1UL
            sum <- sum + value

            if number + 1u < naps then
                sendToSleep (int (Name.first from)) (number + 1u)

            if awoken < all then
                Lives
            else
                world.Report(Done([ awoken; uint64 sum ], Stopwatch.GetTimestamp()))
                Ends

/// `delay` is in milliseconds.
type private Sleeper
    (
        world: World,
        name: Name,
        me: Address<SleeperMessage>,
        alarm: Address<AlarmMessage>,
        naps: uint32,
        delay: uint32
    ) =
    inherit Actor<SleeperMessage>()

    let mutable value = 0u

    override _.Take(_, message) =
        match message with
        | Sleep (number, said) ->
            value <- said
            world.SendAfter(delay, me, name, Wake number)
            Lives
        | Wake number ->
            alarm.Send(name, Awake(number, fold value delay))
            if number + 1u = naps then Ends else Lives

let populate (world: World) (parameter: Parameters) =
    let naps = parameter "naps"
    let delay = parameter "delay"
    let alarm = world.Mailbox<AlarmMessage>()

    let sleepers =
        Array.init (int (parameter "sleepers")) (fun index ->
            let name = Name.ofFirst Class.Sleeper (uint32 index)
            let sleeper = world.Mailbox<SleeperMessage>()
            world.Spawn(name, sleeper, fun () -> Sleeper(world, name, sleeper, alarm, naps, delay))
            sleeper :> Address<SleeperMessage>)

    world.Spawn(alarmName, alarm, fun () -> Alarm(world, sleepers, naps))
    Benchmark.ending (Start >> alarm.Tell) [ "naps"; "sum" ]
