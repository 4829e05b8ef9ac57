/// Web (spec/web.md): browsers, a dispatcher, workers that compute.
module Dramaturg.Benchmarks.Web

open System.Collections.Generic
open System.Diagnostics
open Dramaturg.Benchmarks.Fibonacci
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

let private dispatcherName = Name.ofFirst Class.Dispatcher 0u

type DispatcherMessage =
    | Start of salt: uint32
    | Request of number: uint32 * value: uint32
    | Idle
    | Finished of answers: uint64 * sum: uint32
    | Disconnect

    interface IMessage with
        member this.Describe events =
            match this with
            | Start salt -> events.Add(Kind.DispatcherStart, uint64 salt)
            | Request (number, value) -> events.Add(Kind.DispatcherRequest, uint64 number, uint64 value)
            | Idle -> events.Add Kind.DispatcherIdle
            | Finished (answers, sum) -> events.Add(Kind.DispatcherFinished, answers, uint64 sum)
            | Disconnect -> events.Add Kind.DispatcherDisconnect

type BrowserMessage =
    | Go of salt: uint32
    | Answer of number: uint32 * value: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Go salt -> events.Add(Kind.BrowserGo, uint64 salt)
            | Answer (number, value) -> events.Add(Kind.BrowserAnswer, uint64 number, uint64 value)

type WorkerMessage =
    | Work of browser: uint32 * number: uint32 * value: uint32
    | Stop

    interface IMessage with
        member this.Describe events =
            match this with
            | Work (browser, number, value) ->
                events.Add(Kind.WorkerWork, uint64 browser, uint64 number, uint64 value)
            | Stop -> events.Add Kind.WorkerStop

type private Dispatcher(world: World, workers: Address<WorkerMessage> [], browsers: Address<BrowserMessage> []) =
    inherit Actor<DispatcherMessage>()

    let waiting = Queue<WorkerMessage>()
    let idle = Queue<int>(seq { 0 .. workers.Length - 1 })
    let hasWorked = Array.create workers.Length false
    let mutable used = 0UL
    let mutable finished = 0
    let mutable answers = 0UL
    let mutable sum = 0u

    let dispatch () =
        if idle.Count > 0 && waiting.Count > 0 then
            let worker = idle.Dequeue()

            if not hasWorked.[worker] then
                hasWorked.[worker] <- true
                used <- used + 1UL

            workers.[worker].Send(dispatcherName, waiting.Dequeue())

    let reportIfComplete () =
        if finished = browsers.Length && idle.Count = workers.Length then
            world.Report(Done([ answers; uint64 sum; used ], Stopwatch.GetTimestamp()))

    override _.Take(from, message) =
        match message with
        | Start salt ->
            for browser in browsers do
                browser.Send(dispatcherName, Go salt)

            Lives
        | Request (number, value) ->
            waiting.Enqueue(Work(Name.first from, number, value))
            dispatch ()
            Lives
        | Idle ->
            idle.Enqueue(int (Name.first from))
            dispatch ()
            reportIfComplete ()
            Lives
        | Finished (others, value) ->
            answers <- answers + others
            sum <- sum + value
            finished <- finished + 1
            reportIfComplete ()
            Lives
        | Disconnect ->
            for worker in idle do
                workers.[worker].Send(dispatcherName, Stop)

            Ends

type private Worker
    (
        name: Name,
        dispatcher: Address<DispatcherMessage>,
        browsers: Address<BrowserMessage> [],
        fibN: uint32
    ) =
    inherit Actor<WorkerMessage>()

    override _.Take(_, message) =
        match message with
        | Work (browser, number, value) ->
            let answer = fold value (uint32 (fibonacci fibN))
            browsers.[int browser].Send(name, Answer(number, answer))
            dispatcher.Send(name, Idle)
            Lives
        | Stop -> Ends

type private Browser(index: uint32, dispatcher: Address<DispatcherMessage>, requests: uint32) =
    inherit Actor<BrowserMessage>()

    let name = Name.ofFirst Class.Browser index
    let mutable salt = 0u
    let mutable answers = 0u
    let mutable sum = 0u

    let request () =
        dispatcher.Send(name, Request(answers, fold2 salt index answers))
        Lives

    override _.Take(_, message) =
        match message with
        | Go said ->
            salt <- said
            request ()
        | Answer (_, value) ->
            sum <- sum + value
            answers <- answers + 1u

            if answers < requests then
                request ()
            else
                dispatcher.Send(name, Finished(uint64 answers, sum))
                Ends

let populate (world: World) (parameter: Parameters) =
    let dispatcher = world.Mailbox<DispatcherMessage>()

    let browsers =
        Array.init (int (parameter "browsers")) (fun index ->
            let index = uint32 index
            let browser = world.Mailbox<BrowserMessage>()

            world.Spawn(
                Name.ofFirst Class.Browser index,
                browser,
                fun () -> Browser(index, dispatcher, parameter "requests")
            )

            browser :> Address<BrowserMessage>)

    let workers =
        Array.init (int (parameter "workers")) (fun index ->
            let name = Name.ofFirst Class.Worker (uint32 index)
            let worker = world.Mailbox<WorkerMessage>()
            world.Spawn(name, worker, fun () -> Worker(name, dispatcher, browsers, parameter "fib_n"))
            worker :> Address<WorkerMessage>)

    world.Spawn(dispatcherName, dispatcher, fun () -> Dispatcher(world, workers, browsers))

    { Benchmark.ending (Start >> dispatcher.Tell) with
        Disconnect = fun () -> dispatcher.Tell Disconnect }
