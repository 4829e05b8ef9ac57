/// Big (spec/big.md): everybody pings everybody.
module Dramaturg.Benchmarks.Big

open System.Diagnostics
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

let private coordinatorName = Name.ofFirst Class.Coordinator 0u

type CoordinatorMessage =
    | Start of salt: uint32
    | Finished of pings: uint64 * pongs: uint64 * given: uint32 * taken: uint32
    | Tick of number: uint32
    | Marked of number: uint32 * pongs: uint64
    | Idle

    interface IMessage with
        member this.Describe events =
            match this with
            | Start salt -> events.Add(Kind.CoordinatorStart, uint64 salt)
            | Finished (pings, pongs, given, taken) ->
                events.Add(Kind.CoordinatorFinished, pings, pongs, uint64 given, uint64 taken)
            | Tick number -> events.Add(Kind.CoordinatorTick, uint64 number)
            | Marked (number, pongs) -> events.Add(Kind.CoordinatorMarked, uint64 number, pongs)
            | Idle -> events.Add Kind.CoordinatorIdle

type PeerMessage =
    | Go of salt: uint32
    | Ping of round: uint32 * value: uint32
    | Pong of round: uint32 * value: uint32
    | Mark of number: uint32
    | Stop

    interface IMessage with
        member this.Describe events =
            match this with
            | Go salt -> events.Add(Kind.PeerGo, uint64 salt)
            | Ping (round, value) -> events.Add(Kind.PeerPing, uint64 round, uint64 value)
            | Pong (round, value) -> events.Add(Kind.PeerPong, uint64 round, uint64 value)
            | Mark number -> events.Add(Kind.PeerMark, uint64 number)
            | Stop -> events.Add Kind.PeerStop

/// A window that not all peers have answered for.
type private Open =
    { Ended: int64
      mutable Answered: int
      mutable Counted: uint64 }

type private Coordinator
    (
        world: World,
        me: Address<CoordinatorMessage>,
        peers: Address<PeerMessage> [],
        windows: Windows
    ) =
    inherit Actor<CoordinatorMessage>()

    let openWindows = ResizeArray<Open>()
    let mutable idle = 0
    let mutable finished = 0
    let mutable pings = 0UL
    let mutable pongs = 0UL
    let mutable given = 0u
    let mutable taken = 0u

    let tellAll message =
        for peer in peers do
            peer.Send(coordinatorName, message)

    let startTimer number =
        windows.StartTimer(world, me, coordinatorName, number, Tick)

    let finish () =
        finished <- finished + 1

        if finished < peers.Length then
            Lives
        else
            let ended = Stopwatch.GetTimestamp()
            world.Report(Done([ pings; pongs; uint64 given; uint64 taken ], ended))
            Ends

    let tick number =
        openWindows.Add
            { Ended = Stopwatch.GetTimestamp()
              Answered = 0
              Counted = 0UL }

        startTimer (number + 1u)
        tellAll (Mark number)

    let marked number counted =
        let window = openWindows.[int number]
        window.Answered <- window.Answered + 1
        window.Counted <- window.Counted + counted

        if window.Answered = peers.Length then
            world.Report(Window(window.Counted, window.Ended))

    override _.Take(_, message) =
        match message with
        | Start salt ->
            startTimer 0u
            tellAll (Go salt)
            Lives
        | Finished (ofPings, ofPongs, ofGiven, ofTaken) ->
            pings <- pings + ofPings
            pongs <- pongs + ofPongs
            given <- given + ofGiven
            taken <- taken + ofTaken
            finish ()
        | Tick number ->
            tick number
            Lives
        | Marked (number, counted) ->
            marked number counted
            Lives
        | Idle ->
            idle <- idle + 1
            if idle = peers.Length then tellAll Stop
            Lives

type private Peer
    (
        index: uint32,
        peers: Address<PeerMessage> [],
        coordinator: Address<CoordinatorMessage>,
        rounds: uint32,
        windows: Windows
    ) =
    inherit Actor<PeerMessage>()

    let name = Name.ofFirst Class.Peer index
    let others = uint64 peers.Length - 1UL

    // How many pings a peer sends in the counted form, and how many it is sent.
    let all = uint64 rounds * others
    let mutable salt = 0u
    let mutable pings = 0UL
    let mutable pongs = 0UL
    let mutable given = 0u
    let mutable taken = 0u
    let mutable marked = 0UL
    let mutable isOver = false

    /// Sends its next ping. One is out at any time, so its number is that of the pongs taken.
    let ping () =
        let receiver = (uint64 index + 1UL + pongs % others) % (others + 1UL)
        let round = uint32 (pongs / others)
        peers.[int receiver].Send(name, Ping(round, fold2 salt index round))

    let finish () =
        coordinator.Send(name, Finished(pings, pongs, given, taken))
        Ends

    let endIfComplete () =
        if windows.Counted && pings = all && pongs = all then
            finish ()
        else
            Lives

    let answer from round value =
        let value = fold value index
        pings <- pings + 1UL
        given <- given + value
        peers.[int (Name.first from)].Send(name, Pong(round, value))
        endIfComplete ()

    let takePong value =
        pongs <- pongs + 1UL
        taken <- taken + value

        if isOver then
            coordinator.Send(name, Idle)
        elif not windows.Counted || pongs < all then
            ping ()

        endIfComplete ()

    let mark number =
        let counted = pongs - marked
        marked <- pongs
        isOver <- windows.IsLast number
        coordinator.Send(name, Marked(number, counted))

    override _.Take(from, message) =
        match message with
        | Go said ->
            salt <- said
            ping ()
            Lives
        | Ping (round, value) -> answer from round value
        | Pong (_, value) -> takePong value
        | Mark number ->
            mark number
            Lives
        | Stop -> finish ()

let populate (world: World) (parameter: Parameters) =
    let windows = Windows.ofParameters parameter
    let rounds = parameter "rounds"
    let coordinator = world.Mailbox<CoordinatorMessage>()

    let mailboxes =
        Array.init (int (parameter "peers")) (fun _ -> world.Mailbox<PeerMessage>())

    let peers =
        mailboxes
        |> Array.map (fun mailbox -> mailbox :> Address<PeerMessage>)

    mailboxes
    |> Array.iteri (fun index mailbox ->
        let index = uint32 index
        world.Spawn(Name.ofFirst Class.Peer index, mailbox, fun () -> Peer(index, peers, coordinator, rounds, windows)))

    world.Spawn(coordinatorName, coordinator, fun () -> Coordinator(world, coordinator, peers, windows))
    Benchmark.ending (Start >> coordinator.Tell)
