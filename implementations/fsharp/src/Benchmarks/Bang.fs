/// Bang (spec/bang.md): many senders, one receiver.
module Dramaturg.Benchmarks.Bang

open System.Diagnostics
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

let private receiverName = Name.ofFirst Class.Receiver 0u

type ReceiverMessage =
    | Start of salt: uint32
    | Bang of number: uint32 * value: uint32
    | Finished of answers: uint64 * taken: uint32
    | Tick of number: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Start salt -> events.Add(Kind.ReceiverStart, uint64 salt)
            | Bang (number, value) -> events.Add(Kind.ReceiverBang, uint64 number, uint64 value)
            | Finished (answers, taken) -> events.Add(Kind.ReceiverFinished, answers, uint64 taken)
            | Tick number -> events.Add(Kind.ReceiverTick, uint64 number)

type SenderMessage =
    | Go of salt: uint32
    | Answer of number: uint32 * value: uint32
    | Stop

    interface IMessage with
        member this.Describe events =
            match this with
            | Go salt -> events.Add(Kind.SenderGo, uint64 salt)
            | Answer (number, value) -> events.Add(Kind.SenderAnswer, uint64 number, uint64 value)
            | Stop -> events.Add Kind.SenderStop

type private Receiver(world: World, me: Address<ReceiverMessage>, senders: Address<SenderMessage> [], windows: Windows) =
    inherit Actor<ReceiverMessage>()

    let mutable salt = 0u
    let mutable bangs = 0UL
    let mutable given = 0u
    let mutable counted = 0UL
    let mutable finished = 0
    let mutable answers = 0UL
    let mutable taken = 0u

    let tellAll message =
        for sender in senders do
            sender.Send(receiverName, message)

    let startTimer number =
        windows.StartTimer(world, me, receiverName, number, Tick)

    let start () =
        startTimer 0u
        tellAll (Go salt)

    let bang from number value =
        let answer = fold value salt
        bangs <- bangs + 1UL
        senders.[int (Name.first from)].Send(receiverName, Answer(number, answer))
        given <- given + answer

    let finish others value =
        answers <- answers + others
        taken <- taken + value
        finished <- finished + 1

        if finished < senders.Length then
            Lives
        else
            let ended = Stopwatch.GetTimestamp()
            world.Report(Done([ bangs; answers; uint64 given; uint64 taken ], ended))
            Ends

    let tick number =
        let ended = Stopwatch.GetTimestamp()
        startTimer (number + 1u)
        world.Report(Window(bangs - counted, ended))
        counted <- bangs
        if windows.IsLast number then tellAll Stop

    override _.Take(from, message) =
        match message with
        | Start said ->
            salt <- said
            start ()
            Lives
        | Bang (number, value) ->
            bang from number value
            Lives
        | Finished (answers, taken) -> finish answers taken
        | Tick number ->
            tick number
            Lives

type private Sender(index: uint32, receiver: Address<ReceiverMessage>, messages: uint32, windows: Windows) =
    inherit Actor<SenderMessage>()

    let name = Name.ofFirst Class.Sender index
    let mutable salt = 0u
    let mutable sent = 0UL
    let mutable answers = 0UL
    let mutable taken = 0u

    // Whether its answers make it send no more: from the beginning in the counted form.
    let mutable isStopped = windows.Counted

    let bang () =
        let number = uint32 sent
        receiver.Send(name, Bang(number, fold2 salt index number))
        sent <- sent + 1UL

    let endIfComplete () =
        if isStopped && answers = sent then
            receiver.Send(name, Finished(answers, taken))
            Ends
        else
            Lives

    override _.Take(_, message) =
        match message with
        | Go said ->
            salt <- said
            let mutable unsent = messages

            while unsent > 0u do
                bang ()
                unsent <- unsent - 1u

            Lives
        | Answer (_, value) ->
            answers <- answers + 1UL
            taken <- taken + value
            if not isStopped then bang ()
            endIfComplete ()
        | Stop ->
            isStopped <- true
            endIfComplete ()

let populate (world: World) (parameter: Parameters) =
    let windows = Windows.ofParameters parameter
    let receiver = world.Mailbox<ReceiverMessage>()

    let senders =
        Array.init (int (parameter "senders")) (fun index ->
            let index = uint32 index
            let sender = world.Mailbox<SenderMessage>()

            world.Spawn(
                Name.ofFirst Class.Sender index,
                sender,
                fun () -> Sender(index, receiver, parameter "messages", windows)
            )

            sender :> Address<SenderMessage>)

    world.Spawn(receiverName, receiver, fun () -> Receiver(world, receiver, senders, windows))
    Benchmark.ending (Start >> receiver.Tell)
