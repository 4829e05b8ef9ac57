/// Ping-pong (spec/pingpong.md).
module Dramaturg.Benchmarks.PingPong

open System.Diagnostics
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

let private pingName = Name.ofFirst Class.Ping 0u
let private pongName = Name.ofFirst Class.Pong 0u

type PingMessage =
    | Start of rounds: uint32 * salt: uint32
    | Pong of left: uint32 * value: uint32
    | Tick of number: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Start (rounds, salt) -> events.Add(Kind.PingStart, uint64 rounds, uint64 salt)
            | Pong (left, value) -> events.Add(Kind.PingPong, uint64 left, uint64 value)
            | Tick number -> events.Add(Kind.PingTick, uint64 number)

type PongMessage =
    | Ping of left: uint32 * value: uint32 * from: Address<PingMessage>

    interface IMessage with
        member this.Describe events =
            match this with
            | Ping (left, value, _) -> events.Add(Kind.PongPing, uint64 left, uint64 value)

type private PingActor(world: World, me: Address<PingMessage>, pong: Address<PongMessage>, windows: Windows) =
    inherit Actor<PingMessage>()

    let mutable salt = 0u
    let mutable pongs = 0UL
    let mutable sum = 0u
    let mutable counted = 0UL
    let mutable isOver = false

    let ping left =
        pong.Send(pingName, Ping(left, fold salt (uint32 pongs), me))

    let startTimer number =
        windows.StartTimer(world, me, pingName, number, Tick)

    let start rounds =
        if windows.Counted then
            ping (rounds - 1u)
        else
            startTimer 0u
            ping 1u

        Lives

    let takePong left value =
        pongs <- pongs + 1UL
        sum <- sum + value

        if left = 0u then
            world.Report(Done([ pongs; uint64 sum ], Stopwatch.GetTimestamp()))
            Ends
        else
            ping (
                if windows.Counted then left - 1u
                elif isOver then 0u
                else 1u
            )

            Lives

    let tick number =
        let ended = Stopwatch.GetTimestamp()
        startTimer (number + 1u)
        world.Report(Window(pongs - counted, ended))
        counted <- pongs
        isOver <- windows.IsLast number
        Lives

    override _.Take(_, message) =
        match message with
        | Start (rounds, said) ->
            salt <- said
            start rounds
        | Pong (left, value) -> takePong left value
        | Tick number -> tick number

type private PongActor() =
    inherit Actor<PongMessage>()

    let mutable pings = 0u

    override _.Take(_, Ping (left, value, from)) =
        from.Send(pongName, Pong(left, fold value pings))
        pings <- pings + 1u
        if left = 0u then Ends else Lives

let populate (world: World) (parameter: Parameters) =
    let pong = world.Mailbox<PongMessage>()
    world.Spawn(pongName, pong, fun () -> PongActor())
    let ping = world.Mailbox<PingMessage>()
    world.Spawn(pingName, ping, fun () -> PingActor(world, ping, pong, Windows.ofParameters parameter))
    Benchmark.windowed (fun salt -> ping.Tell(Start(parameter "rounds", salt))) [ "pongs"; "sum" ]
