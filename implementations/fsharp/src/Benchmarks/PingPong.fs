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
    | Pong of left: uint32 * value: uint64
    | Tick of number: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Start (rounds, salt) -> events.Add(Kind.PingStart, uint64 rounds, uint64 salt)
            | Pong (left, value) -> events.Add(Kind.PingPong, uint64 left, value)
            | Tick number -> events.Add(Kind.PingTick, uint64 number)

type PongMessage =
    | Ping of left: uint32 * value: uint64 * from: Address<PingMessage>

    interface IMessage with
        member this.Describe events =
            match this with
            | Ping (left, value, _) -> events.Add(Kind.PongPing, uint64 left, value)

/// A value as it is sent: shifted, and its lowest bits once more behind it (PING-7).
let private wide (value: uint32) (shift: int) =
    uint64 value <<< shift ||| (uint64 value &&& ((1UL <<< shift) - 1UL))

/// `shift` is by how many bits values are shifted when they are sent (PING-7).
type private PingActor
    (
        world: World,
        me: Address<PingMessage>,
        pong: Address<PongMessage>,
        windows: Windows,
        shift: int
    ) =
    inherit Actor<PingMessage>()

    let mutable salt = 0u
    let mutable pongs = 0UL
    let mutable sum = 0u
    let mutable counted = 0UL
    let mutable isOver = false

    let ping left =
        pong.Send(pingName, Ping(left, wide (fold salt (uint32 pongs)) shift, me))

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
        sum <- sum + uint32 (value >>> shift)

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

type private PongActor(shift: int) =
    inherit Actor<PongMessage>()

    let mutable pings = 0u

    override _.Take(_, Ping (left, value, from)) =
        let answer = fold (uint32 (value >>> shift)) pings
        from.Send(pongName, Pong(left, wide answer shift))
        pings <- pings + 1u
        if left = 0u then Ends else Lives

let populate (world: World) (parameter: Parameters) =
    let shift = int (parameter "shift")
    let pong = world.Mailbox<PongMessage>()
    world.Spawn(pongName, pong, fun () -> PongActor shift)
    let ping = world.Mailbox<PingMessage>()
    let windows = Windows.ofParameters parameter
    world.Spawn(pingName, ping, fun () -> PingActor(world, ping, pong, windows, shift))
    Benchmark.ending (fun salt -> ping.Tell(Start(parameter "rounds", salt)))
