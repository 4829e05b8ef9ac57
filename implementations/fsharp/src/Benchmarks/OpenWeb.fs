/// Web under an open load (spec/openweb.md): requests arrive when they are due.
module Dramaturg.Benchmarks.OpenWeb

open System.Collections.Generic
open System.Diagnostics
open Dramaturg.Benchmarks.Fibonacci
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

let private sourceName = Name.ofFirst Class.Source 0u
let private balancerName = Name.ofFirst Class.Balancer 0u

/// `began` is when control sent it. A log has no times.
type SourceMessage =
    | Start of salt: uint32 * began: int64
    | Arrive of number: uint32 * due: uint64
    | Answer of number: uint32 * value: uint32
    | Drained of used: uint64
    | Disconnect

    interface IMessage with
        member this.Describe events =
            match this with
            | Start (salt, _) -> events.Add(Kind.SourceStart, uint64 salt)
            | Arrive (number, due) -> events.Add(Kind.SourceArrive, uint64 number, due)
            | Answer (number, value) -> events.Add(Kind.SourceAnswer, uint64 number, uint64 value)
            | Drained used -> events.Add(Kind.SourceDrained, used)
            | Disconnect -> events.Add Kind.SourceDisconnect

type BalancerMessage =
    | Request of number: uint32 * value: uint32
    | Idle
    | Close

    interface IMessage with
        member this.Describe events =
            match this with
            | Request (number, value) -> events.Add(Kind.BalancerRequest, uint64 number, uint64 value)
            | Idle -> events.Add Kind.BalancerIdle
            | Close -> events.Add Kind.BalancerClose

type ServerMessage =
    | Work of number: uint32 * value: uint32
    | Stop

    interface IMessage with
        member this.Describe events =
            match this with
            | Work (number, value) -> events.Add(Kind.ServerWork, uint64 number, uint64 value)
            | Stop -> events.Add Kind.ServerStop

/// When each request is due, in nanoseconds after the start of the run (OPEN-1).
let arrivals (requests: uint32) (gap: uint32) (seed: uint32) =
    let sums = Array.scan (+) 0UL >> Array.tail
    // As millionths of the mean gap, the shortest first.
    let lengths = sums (Array.init 256 (fun step -> uint64 (1_000_000 / (256 - step))))
    let lcg = Lcg seed

    Array.init (int requests) (fun _ -> lengths.[int (lcg.Draw() / 256u)])
    |> sums
    |> Array.map (fun total -> uint64 gap * total / 1_000UL)

/// Sends each request when it is due, and waits for no answer.
type private Source(world: World, me: Address<SourceMessage>, balancer: Address<BalancerMessage>, due: uint64 []) =
    inherit Actor<SourceMessage>()

    // What the clock said, by requests.
    let arrived = Array.zeroCreate<int64> due.Length
    let answered = Array.zeroCreate<int64> due.Length
    let mutable began = 0L
    let mutable salt = 0u
    let mutable answers = 0UL
    let mutable sum = 0u
    let mutable used = 0UL

    let awaitArrival (number: uint32) =
        let due = due.[int number]
        world.SendAt(began, due, me, sourceName, Arrive(number, due))

    let reportIfComplete () =
        if used > 0UL && answers = uint64 due.Length then
            let ended = Stopwatch.GetTimestamp()
            world.Report(Readings(due, answered, arrived))
            world.Report(Done([ answers; uint64 sum; used ], ended))

    override _.Take(_, message) =
        match message with
        | Start (said, sent) ->
            // By its own clock all would be as late as this message was: milliseconds, the first time.
            began <- sent
            salt <- said
            awaitArrival 0u
            Lives
        | Arrive (number, due) ->
            arrived.[int number] <- Stopwatch.GetTimestamp()
            balancer.Send(sourceName, Request(number, fold2 salt number (uint32 due)))

            if int number + 1 < arrived.Length then
                awaitArrival (number + 1u)

            Lives
        | Answer (number, value) ->
            answered.[int number] <- Stopwatch.GetTimestamp()
            answers <- answers + 1UL
            sum <- sum + value
            reportIfComplete ()
            Lives
        | Drained said ->
            used <- said
            reportIfComplete ()
            Lives
        | Disconnect ->
            balancer.Send(sourceName, Close)
            Ends

/// Gives the request that waits longest to the server that is idle longest.
type private Balancer(source: Address<SourceMessage>, servers: Address<ServerMessage> [], requests: uint32) =
    inherit Actor<BalancerMessage>()

    let waiting = Queue<ServerMessage>()
    let idle = Queue<int>(seq { 0 .. servers.Length - 1 })
    let hasWorked = Array.create servers.Length false
    let mutable given = 0u
    let mutable used = 0UL

    let assign () =
        if idle.Count > 0 && waiting.Count > 0 then
            let server = idle.Dequeue()

            if not hasWorked.[server] then
                hasWorked.[server] <- true
                used <- used + 1UL

            given <- given + 1u
            servers.[server].Send(balancerName, waiting.Dequeue())

    override _.Take(from, message) =
        match message with
        | Request (number, value) ->
            waiting.Enqueue(Work(number, value))
            assign ()
            Lives
        | Idle ->
            idle.Enqueue(int (Name.first from))
            assign ()

            if given = requests && idle.Count = servers.Length then
                source.Send(balancerName, Drained used)

            Lives
        | Close ->
            for server in idle do
                servers.[server].Send(balancerName, Stop)

            Ends

type private Server
    (
        name: Name,
        source: Address<SourceMessage>,
        balancer: Address<BalancerMessage>,
        fibN: uint32
    ) =
    inherit Actor<ServerMessage>()

    override _.Take(_, message) =
        match message with
        | Work (number, value) ->
            source.Send(name, Answer(number, fold value (uint32 (fibonacci fibN))))
            balancer.Send(name, Idle)
            Lives
        | Stop -> Ends

let populate (world: World) (parameter: Parameters) =
    let requests = parameter "requests"
    let source = world.Mailbox<SourceMessage>()
    let balancer = world.Mailbox<BalancerMessage>()

    let servers =
        Array.init (int (parameter "servers")) (fun index ->
            let name = Name.ofFirst Class.Server (uint32 index)
            let server = world.Mailbox<ServerMessage>()
            world.Spawn(name, server, fun () -> Server(name, source, balancer, parameter "fib_n"))
            server :> Address<ServerMessage>)

    let due = arrivals requests (parameter "gap") (parameter "seed")
    world.Spawn(balancerName, balancer, fun () -> Balancer(source, servers, requests))
    world.Spawn(sourceName, source, fun () -> Source(world, source, balancer, due))

    let start salt = source.Tell(Start(salt, Stopwatch.GetTimestamp()))
    { Benchmark.ending start with Disconnect = fun () -> source.Tell Disconnect }
