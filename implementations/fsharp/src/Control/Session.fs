/// What each call does, one at a time (spec/control.md).
namespace Dramaturg.Control

open Dramaturg.Benchmarks
open Dramaturg.Runtime

/// An actor has failed: the call under way is answered with its name and the reason (CTRL-10).
exception ActorFailed of string

/// A world, and what is known of it. `taken` is when the call was.
[<Sealed>]
type Iteration(name: string, world: World, benchmark: Benchmark) =
    let mutable said = Said.nothing
    let mutable runNanos = 0UL

    let fail (actor, reason) =
        raise (ActorFailed(sprintf "%s failed: %s" (Name.text actor) reason))

    let report () =
        match world.NextReport() with
        | Failed (actor, reason) -> fail (actor, reason)
        | other -> other

    let confirm confirmed =
        said <- { said with Confirmed = confirmed :: said.Confirmed }

    let awaitConfirmed () =
        match report () with
        | Confirmed confirmed -> confirm confirmed
        | other -> failwithf "no report of a turn: %A" other

    let driven () = Option.get benchmark.Driven

    /// Takes reports until the run has ended; returns the stamps of its beginning and end.
    let follow start (mark: int -> unit) taken =
        let marks = Marks taken

        let next count =
            let count = count + 1
            if marks.IsDue() then mark count
            count

        let rec wait began windowBegan count =
            match report () with
            | Confirmed confirmed ->
                confirm confirmed

                let began =
                    if confirmed.Turn = 0u then
                        confirmed.Began
                    else
                        began

                let count = next count

                if count = (driven ()).Turns then
                    count, began, confirmed.Ended
                else
                    wait began windowBegan count
            | Window (counted, ended) ->
                let lasted = Stopwatch.nanos windowBegan ended
                said <- { said with Windows = (counted, lasted) :: said.Windows }
                wait began ended (next count)
            | Readings (due, answered, arrived) ->
                let afterStart = Array.map (Stopwatch.nanos start)

                said <-
                    { said with
                        Latency = Histogram.counts due (afterStart answered)
                        Lateness = Histogram.counts due (afterStart arrived) }

                wait began windowBegan count
            | Shortest nanos ->
                said <- { said with Shortest = nanos }
                wait began windowBegan count
            | Done (arguments, ended) ->
                said <- { said with Done = arguments }
                count, began, ended
            | other -> failwithf "no report of a run: %A" other

        wait start start 0

    member _.World = world

    member _.SetUp() =
        Option.iter fail (world.Failure())

        match benchmark.Driven with
        | None -> ()
        | Some driven ->
            driven.SetUp()

            match report () with
            | Ready -> ()
            | other -> failwithf "no report of set-up: %A" other

    member _.Act act =
        (driven ()).Act act
        awaitConfirmed ()

    member _.Turn() =
        (driven ()).Turn()
        awaitConfirmed ()

    /// The whole benchmark. `mark` is told how many turns or windows are done (CTRL-6).
    member _.Run(salt, taken, mark) =
        let start = Stopwatch.now ()
        benchmark.Start salt
        let count, began, ended = follow start mark taken
        if count > 0 then mark count
        runNanos <- Stopwatch.nanos began ended

    /// Ends the world. Returns what its receipt has of the benchmark, under which name, and what
    /// all receipts have.
    member _.TearDown(taken, patience) =
        benchmark.Disconnect()

        if benchmark.Driven.IsSome then
            match report () with
            | Finished counts -> said <- { said with Finished = counts }
            | other -> failwithf "no report of the end: %A" other

        world.WaitForTheEnd patience
        let ended = Stopwatch.now ()
        Option.iter fail (world.Failure())

        let turns = List.sortBy (fun (confirmed: Confirmed) -> confirmed.Turn) said.Confirmed

        let inOrder =
            { said with
                Confirmed = turns
                TurnNanos =
                    turns
                    |> List.map (fun turn -> Stopwatch.nanos turn.Began turn.Ended)
                Windows = List.rev said.Windows }

        let own =
            match benchmark.Receipt with
            | Some receipt -> name, receipt inOrder
            | None -> "done", Said.repeated name inOrder

        own,
        [ "run_nanos", runNanos
          "teardown_nanos", Stopwatch.nanos taken ended
          "alive", uint64 world.Alive ]

/// Calls but for `trace`, as they come.
[<Sealed>]
type Session(kind: MailboxKind, answers: Answers) =
    /// For how long the number of actors may stay the same until nobody waits any more (CTRL-17).
    let patience = 1000

    let mutable iteration: Iteration option = None

    let current () = Option.get iteration

    let prepare benchmark parameters watches =
        let world = World(kind, watches)
        let made = Catalogue.populate benchmark world parameters
        let prepared = Iteration(benchmark, world, made)
        iteration <- Some prepared
        prepared.SetUp()

    let tearDown taken =
        let (own, receipt), common = (current ()).TearDown(taken, patience)

        fun (writer: System.Text.Json.Utf8JsonWriter) ->
            writer.WriteStartObject "receipt"
            writer.WriteStartObject(own: string)
            List.iter (Write.figure writer) receipt
            writer.WriteEndObject()

            for name, value in common do
                Write.number name value writer

            writer.WriteEndObject()

    let perform id call taken =
        match call with
        | Describe probes -> answers.Reply(id, Description.write kind probes)
        | Prepare (benchmark, parameters, watches) ->
            prepare benchmark parameters watches
            let nanos = Stopwatch.nanos taken (Stopwatch.now ())
            answers.Reply(id, Write.number "setup_nanos" nanos)
        | Act act ->
            (current ()).Act act
            answers.Reply(id, ignore)
        | Turn ->
            (current ()).Turn()
            answers.Reply(id, ignore)
        | Run salt ->
            let mark count =
                answers.Item(id, "mark", Write.number "done" (uint64 count))

            (current ()).Run(salt, taken, mark)
            answers.End id
        | Teardown -> answers.Reply(id, tearDown taken)
        | Trace -> failwith "traces are answered on a thread of their own"

    /// The world whose logs can be had.
    member _.World = iteration |> Option.map (fun prepared -> prepared.World)

    /// Makes a call and writes its answer. `taken` is its stamp.
    member _.Answer({ Id = id; Call = call }, taken) =
        try
            perform id call taken
        with ActorFailed reason -> answers.Error(id, reason)
