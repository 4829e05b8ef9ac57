/// The poker: starts every turn, and ends the iteration.
module Dramaturg.Benchmarks.ChatApp.Poker

open System.Diagnostics
open Dramaturg.Benchmarks
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

let private name = Name.ofFirst Class.Poker 0u

type private Poker(world: World, me: Address<PokerMessage>, parameters: ChatParameters) =
    inherit Actor<PokerMessage>()

    let directories = ResizeArray<Address<DirectoryMessage>>()
    let mutable settled = 0

    // The stamps of all turns, before their accumulators were spawned.
    let began = ResizeArray<int64>()
    let mutable finished = 0
    let mutable counts = Counts.Zero

    let directoryOf client =
        directories.[int (client % parameters.Directories)]

    let prepare () =
        let lcg = Lcg parameters.Seed

        for index in 0 .. int parameters.Directories - 1 do
            directories.Add(Directory.spawn world (uint32 index) (lcg.Draw()) me parameters)

        let mutable client = 0u

        while client < parameters.Clients do
            (directoryOf client).Send(name, Login client)
            client <- client + 1u

        for directory in directories do
            if parameters.Befriend > 0u then
                directory.Send(name, Befriend)

            directory.Send(name, Settle)

    let nextTurn units =
        let turn = uint32 began.Count
        began.Add(Stopwatch.GetTimestamp())
        turn, Accumulator.spawn world turn units me

    let act client choice index k =
        let turn, accumulator = nextTurn 1UL

        (directoryOf client)
            .Send(name, DirectoryMessage.Act(turn, client, choice, index, k, accumulator))

    let turn salt =
        let turn, accumulator = nextTurn (uint64 parameters.Clients)

        for directory in directories do
            directory.Send(name, Poke(turn, salt, accumulator))

    let run salt =
        for _ in 1 .. int parameters.Turns do
            turn salt

    let confirm turn value stops announced consumed =
        let ended = Stopwatch.GetTimestamp()

        world.Report(
            Confirmed
                { Turn = turn
                  Value = value
                  Stops = stops
                  Announced = announced
                  Consumed = consumed
                  Began = began.[int turn]
                  Ended = ended }
        )

    let takeFinished others =
        counts <- counts + others
        finished <- finished + 1

        if finished < directories.Count then
            Lives
        else
            world.Report(Report.Finished counts.InOrder)
            Ends

    override _.Take(_, message) =
        match message with
        | Prepare ->
            prepare ()
            Lives
        | PokerMessage.Settled ->
            settled <- settled + 1
            if settled = directories.Count then world.Report Ready
            Lives
        | PokerMessage.Act (client, choice, index, k) ->
            act client choice index k
            Lives
        | Turn ->
            turn 0u
            Lives
        | Run salt ->
            run salt
            Lives
        | Confirm (turn, value, stops, announced, consumed) ->
            confirm turn value stops announced consumed
            Lives
        | PokerMessage.Disconnect ->
            for directory in directories do
                directory.Send(name, Disconnect)

            Lives
        | PokerMessage.Finished others -> takeFinished others

/// The poker of a world.
let spawn (world: World) parameters =
    let me = world.Mailbox<PokerMessage>()
    world.Spawn(name, me, fun () -> Poker(world, me, parameters))
    me :> Address<PokerMessage>
