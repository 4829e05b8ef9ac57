/// Sleepers (spec/sleepers.md): many timers, no thread that waits.
module Dramaturg.Benchmarks.Sleepers

open System
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

    // When each was last sent to sleep, and the shortest time until it was awake (SLEEP-5).
    let asleep = Array.zeroCreate<int64> sleepers.Length
    let mutable shortest = Int64.MaxValue

    let sendToSleep sleeper number =
        let value = fold2 salt (uint32 sleeper) number
        asleep.[sleeper] <- Stopwatch.GetTimestamp()
        sleepers.[sleeper].Send(alarmName, Sleep(number, value))

    override _.Take(from, message) =
        match message with
        | Start said ->
            salt <- said

            for sleeper in 0 .. sleepers.Length - 1 do
                sendToSleep sleeper 0u

            Lives
        | Awake (number, value) ->
            let sleeper = int (Name.first from)
            shortest <- min shortest (Stopwatch.GetTimestamp() - asleep.[sleeper])
            awoken <- awoken + 1UL
            sum <- sum + value

            if number + 1u < naps then
                sendToSleep sleeper (number + 1u)

            if awoken < all then
                Lives
            else
                let ended = Stopwatch.GetTimestamp()
                let nanos = Dramaturg.Control.Stopwatch.nanos 0L shortest
                world.Report(Shortest nanos)
                world.Report(Done([ awoken; uint64 sum ], ended))
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
    Benchmark.ending (Start >> alarm.Tell)
