/// Unit tests, without a library: no package is fetched. Prints what failed; exits with 1 then.
module Dramaturg.Tests

open System
open System.IO
open System.Text
open System.Threading
open Dramaturg.Benchmarks
open Dramaturg.Benchmarks.Fold
open Dramaturg.Control
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

/// Fails if the two differ; `about` says of what.
let private equal about expected found =
    if expected <> found then
        failwithf "%s: expected %A, found %A" about expected found

let mutable private vectors = Null

let private each name check =
    Json.field name vectors |> Json.list |> List.iter check

let private number name = Json.field name >> Json.number

let private numbers name =
    Json.field name
    >> Json.list
    >> List.map Json.number

let draws () =
    each "lcg" (fun vector ->
        let lcg = Benchmarks.Lcg(number "seed" vector)

        numbers "moduli" vector
        |> List.map lcg.NextInt
        |> equal "draws" (numbers "values" vector))

let shuffles () =
    each "shuffle" (fun vector ->
        let lcg = Benchmarks.Lcg(number "seed" vector)
        let list = ResizeArray(Seq.init (int (number "length" vector)) uint32)
        lcg.Shuffle list
        equal "shuffled" (numbers "values" vector) (List.ofSeq list)
        equal "state" (number "state" vector) lcg.State)

let fibonacciNumbers () =
    each "fibonacci" (fun vector ->
        let n = number "n" vector

        if n <= 25u then
            equal "fibonacci" (uint64 (number "value" vector)) (Fibonacci.fibonacci n))

let folds () =
    each "fold" (fun vector ->
        numbers "numbers" vector
        |> List.fold fold (number "salt" vector)
        |> equal "digest" (number "digest" vector))

let checksums () =
    each "checksum" (fun vector ->
        numbers "numbers" vector
        |> List.toArray
        |> checksum (number "start" vector)
        |> equal "checksum" (number "checksum" vector))

let streams () =
    each "stream" (fun vector ->
        let right = numbers "numbers" vector
        equal "stream" right (List.ofArray (stream (number "key" vector) right.Length id)))

let tasks () =
    each "task" (fun vector ->
        let task = number "number" vector
        let payload = Broker.Payload(number "salt" vector, task, number "size" vector)
        equal "size" (number "size" vector) payload.Size
        equal "checksum" (number "checksum" vector) payload.Checksum
        equal "result" (number "result" vector) (payload.Result task))

let names () =
    for name, integer, text in
        [ Name.ofFirst Class.Client 17u, 288230376436924416UL, "client/17"
          Name.ofSecond Class.Chat 17u 2u, 360287970474852354UL, "chat/17.2"
          Name.ofFirst Class.Link 16777215u, 1585548543794348032UL, "link/16777215" ] do
        equal "name" integer name
        equal "text" text (Name.text name)

/// The example of spec/actors.md.
let theFirstWatchThatFitsIsTheActorsOwn () =
    let row (modulus, remainder, first, last, from, events) =
        { Class = Class.Client
          Modulus = modulus
          Remainder = remainder
          First = first
          Last = last
          From = from
          Events = events }

    let watches =
        [ (3u, 1u, 0u, 8u, 2u, UInt32.MaxValue)
          (1u, 0u, 4u, 9u, 0u, 3u) ]
        |> List.map row
        |> Watch.byClass

    let logged name =
        Watch.own watches name
        |> Option.map (fun watch -> List.filter (fun n -> Watch.wants n watch) [ 0UL .. 5UL ])

    for index, slice in
        [ 1u, Some [ 2UL; 3UL; 4UL; 5UL ]
          4u, Some [ 2UL; 3UL; 4UL; 5UL ]
          5u, Some [ 0UL; 1UL; 2UL ]
          0u, None
          10u, None ] do
        equal "slice" slice (logged (Name.ofFirst Class.Client index))

    equal "chat" None (logged (Name.ofFirst Class.Chat 4u))

type private Order =
    | Order of number: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Order number -> events.Add(Kind.RunnerTask, uint64 number, 0UL)

/// Fails upon 1, ends upon 0, and goes on otherwise.
type private Faulty() =
    inherit Actor<Order>()

    override _.Take(_, Order number) =
        match number with
        | 0u -> Ends
        | 1u -> failwith "cannot"
        | _ -> Lives

let private kinds = [ Processor; Simple; Shared ]

let whoEndsIsNotAliveAndWhoFailsIsReported () =
    for kind in kinds do
        for number, alive, failure in
            [ 0u, 0L, None
              1u, 0L, Some "Exception: cannot"
              2u, 1L, None ] do
            let world = World(kind, [])
            let runner = world.Mailbox<Order>()
            world.Spawn(Name.ofFirst Class.Runner 3u, runner, fun () -> Faulty())
            runner.Tell(Order number)
            world.WaitForTheEnd 200
            equal (sprintf "%A alive" kind) alive world.Alive
            equal (sprintf "%A failure" kind) failure (Option.map snd (world.Failure()))

let whoCannotBeMadeIsNotAliveAndIsReported () =
    let world = World(Simple, [])
    let name = Name.ofFirst Class.Runner 3u
    let make () : Faulty = failwith "cannot"
    world.Spawn(name, world.Mailbox<Order>(), make)
    equal "alive" 0L world.Alive
    equal "failure" (Some(name, "Exception: cannot")) (world.Failure())

/// Ends upon the last of `count` numbers, and fails at one that is out of order.
type private Ordered(count: uint32) =
    inherit Actor<Order>()

    let next = Array.zeroCreate<uint32> 4
    let mutable taken = 0u

    override _.Take(from, Order number) =
        let sender = int (Name.first from)
        equal "order" next.[sender] number
        next.[sender] <- number + 1u
        taken <- taken + 1u
        if taken = count then Ends else Lives

let messagesOfOneSenderComeInTheirOrder () =
    for kind in kinds do
        let world = World(kind, [])
        let counter = world.Mailbox<Order>()
        world.Spawn(Name.ofFirst Class.Counter 0u, counter, fun () -> Ordered 40_000u)

        [ 0u .. 3u ]
        |> List.map (fun sender ->
            async {
                for number in 0u .. 9_999u do
                    counter.Send(Name.ofFirst Class.Adder sender, Order number)
            })
        |> Async.Parallel
        |> Async.RunSynchronously
        |> ignore

        world.WaitForTheEnd 1000
        equal (sprintf "%A failure" kind) None (world.Failure())
        equal (sprintf "%A alive" kind) 0L world.Alive

let arrivalsAreThoseOfTheChapter () =
    equal "due" [| 52_008UL; 2_924_682UL; 3_085_009UL |] (OpenWeb.arrivals 3u 1_000u 42u)

let timesAreInTheBucketsOfTheChapter () =
    for nanos, bucket in
        [ 0UL, 0
          255UL, 255
          256UL, 256
          257UL, 256
          258UL, 257
          1_000UL, 506
          1_000_000_000UL, 3054 ] do
        equal (sprintf "the bucket of %d ns" nanos) bucket (Histogram.bucketOf nanos)

let aHistogramBeginsWithBucketZero () =
    equal "counts" [ 0UL; 0UL; 0UL; 1UL; 0UL; 2UL ] (Histogram.counts [| 0UL; 10UL; 20UL |] [| 5UL; 13UL; 25UL |])

let latencies () =
    each "latency" (fun vector ->
        let wide name = Json.field name vector |> Json.list |> List.map Json.wide
        let buckets = wide "buckets" |> List.map int
        let probe = Latencies(Json.wide (Json.field "due" vector), Array.ofList (wide "answered"))

        [ 0 .. List.max buckets ]
        |> List.map (fun bucket -> buckets |> List.filter ((=) bucket) |> List.length |> uint64)
        |> fun counts -> equal "latencies" counts (Description.answer probe))

let aDayHasAllItsNanoseconds () =
    let day = 86_400L * Diagnostics.Stopwatch.Frequency
    equal "day" 86_400_000_000_000UL (Stopwatch.nanos 7L (7L + day))

/// Whose actors run on threads of the pool. With `shared` they run wherever somebody sends.
let private pooled = [ Processor; Simple ]

/// Fails where the clock's own thread runs it, and where it is told too soon.
type private Told(since: int64, nanos: uint64) =
    inherit Actor<Order>()

    override _.Take(_, _) =
        equal "on a thread of the pool" true Thread.CurrentThread.IsThreadPoolThread
        equal "too soon" false (Stopwatch.nanos since (Stopwatch.now ()) < nanos)
        Ends

let theClockIsNeverEarlyAndRunsNoActor () =
    for kind in pooled do
        for nanos in [ 0UL; 1_700_000UL ] do
            let world = World(kind, [])
            let runner = world.Mailbox<Order>()
            let since = Stopwatch.now ()
            world.Spawn(Name.ofFirst Class.Runner 0u, runner, fun () -> Told(since, nanos))
            world.SendAt(since, nanos, runner, Name.control, Order 0u)
            world.WaitForTheEnd 1000
            equal (sprintf "%A failure" kind) None (world.Failure())
            equal (sprintf "%A alive" kind) 0L world.Alive

/// Its receipt has times, so the small run of the chapter is compared but for these.
let theSmallRunOfTheOpenLoadHasItsReceipt () =
    let parameters =
        Map [ "servers", 2u
              "requests", 2u
              "gap", 1_000u
              "seed", 42u
              "fib_n", 6u ]

    for kind in pooled do
        let world = World(kind, [])
        let made = Catalogue.populate "openweb" world (fun name -> parameters.[name])
        let iteration = Iteration("openweb", world, made)
        iteration.Run(42u, Stopwatch.now (), ignore)
        let (_, own), common = iteration.TearDown(Stopwatch.now (), 1000)
        let receipt = Map own
        equal "arguments" (Many [ 2UL; 2_935_558_185UL; 2UL ]) receipt.["arguments"]
        equal "alive" 0UL (Map common).["alive"]

        for field in [ "latency"; "lateness" ] do
            match receipt.[field] with
            | Many counts -> equal field 2UL (List.sum counts)
            | _ -> failwithf "%s is no histogram" field

let aFieldThatNobodyKnowsIsIgnored () =
    let request = Request.parse """{"id":1,"call":"turn","request":{"new":[1]},"more":true}"""
    equal "id" 1UL request.Id

    match request.Call with
    | Turn -> ()
    | other -> failwithf "no turn: %A" other

let anAnswerIsOneLine () =
    use output = new MemoryStream()
    Answers(output).End 7UL
    equal "line" "{\"id\":7,\"end\":true}\n" (Encoding.UTF8.GetString(output.ToArray()))

/// Whoever writes waits for ever.
type private Unread() =
    inherit MemoryStream()

    override _.Write(_: ReadOnlySpan<byte>) = Thread.Sleep Timeout.Infinite

let theEndOfTheInputIsSeenWhileNobodyReadsATrace () =
    let trace = """{"id":1,"call":"trace","request":{}}"""
    let input = new MemoryStream(Encoding.UTF8.GetBytes trace)
    let serving = Thread((fun () -> Port.serve Processor input (new Unread())), IsBackground = true)
    serving.Start()
    equal "seen" true (serving.Join 2000)

let private tests =
    [ "draws", draws
      "shuffles", shuffles
      "fibonacci numbers", fibonacciNumbers
      "folds", folds
      "checksums", checksums
      "streams", streams
      "tasks", tasks
      "latencies", latencies
      "names", names
      "the first watch that fits is the actor's own", theFirstWatchThatFitsIsTheActorsOwn
      "who ends is not alive, and who fails is reported", whoEndsIsNotAliveAndWhoFailsIsReported
      "who cannot be made is not alive, and is reported", whoCannotBeMadeIsNotAliveAndIsReported
      "messages of one sender come in their order", messagesOfOneSenderComeInTheirOrder
      "arrivals are those of the chapter", arrivalsAreThoseOfTheChapter
      "times are in the buckets of the chapter", timesAreInTheBucketsOfTheChapter
      "a histogram begins with bucket zero", aHistogramBeginsWithBucketZero
      "a day has all its nanoseconds", aDayHasAllItsNanoseconds
      "the clock is never early, and runs no actor", theClockIsNeverEarlyAndRunsNoActor
      "the small run of the open load has its receipt", theSmallRunOfTheOpenLoadHasItsReceipt
      "a field that nobody knows is ignored", aFieldThatNobodyKnowsIsIgnored
      "an answer is one line", anAnswerIsOneLine
      "the end of the input is seen while nobody reads a trace", theEndOfTheInputIsSeenWhileNobodyReadsATrace ]

let private passes (name, test) =
    try
        test ()
        true
    with failure ->
        eprintfn "failed: %s: %s" name failure.Message
        false

[<EntryPoint>]
let main arguments =
    vectors <- Json.parse (File.ReadAllText arguments.[0])
    let failed = List.filter (passes >> not) tests
    eprintfn "%d tests, %d failed" tests.Length failed.Length
    if failed.IsEmpty then 0 else 1
