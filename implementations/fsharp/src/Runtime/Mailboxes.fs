/// The three mailboxes: unbounded, and in the order in which each sender sent (ACT-5).
///
/// All three take messages one at a time, and forget what is sent to an actor that has ended.
namespace Dramaturg.Runtime

open System.Collections.Concurrent
open System.Runtime.CompilerServices
open System.Threading

/// The agent of F#'s own library. Its body is an asynchronous workflow.
[<Sealed>]
type ProcessorMailbox<'Message when 'Message :> IMessage>() =
    inherit Mailbox<'Message>()

    let mutable life = Unchecked.defaultof<Life<'Message>>

    let agent =
        new MailboxProcessor<Envelope<'Message>>(fun inbox ->
            let rec loop () =
                async {
                    let! envelope = inbox.Receive()

                    match life.Take(envelope.From, envelope.Message) with
                    | Lives -> return! loop ()
                    | Ends -> ()
                }

            loop ())

    override _.Send(from, message) =
        agent.Post { From = from; Message = message }

    override _.Start started =
        life <- started
        agent.Start()

module private Turn =
    /// After so many messages an actor lets others run, also if there are more.
    let messages = 128

/// A queue without locks, whose actor is an item of the thread pool while it has messages.
[<Sealed>]
type SimpleMailbox<'Message when 'Message :> IMessage>() =
    inherit Mailbox<'Message>()

    let queue = ConcurrentQueue<Envelope<'Message>>()
    let mutable life = Unchecked.defaultof<Life<'Message>>

    // What was sent and is not done with. The actor's birth counts as one.
    let mutable waiting = 1

    member private this.Schedule() =
        ThreadPool.UnsafeQueueUserWorkItem(this, false)
        |> ignore

    override this.Send(from, message) =
        queue.Enqueue { From = from; Message = message }

        if Interlocked.Increment(&waiting) = 1 then this.Schedule()

    override this.Start started =
        life <- started

        if Interlocked.Decrement(&waiting) > 0 then this.Schedule()

    interface IThreadPoolWorkItem with
        member this.Execute() =
            let mutable envelope = Unchecked.defaultof<Envelope<'Message>>
            let mutable fate = Lives
            let mutable taken = 0

            let mutable awake = true

            while awake && queue.TryDequeue(&envelope) do
                taken <- taken + 1
                fate <- life.Take(envelope.From, envelope.Message)

                match fate with
                | Lives -> awake <- taken < Turn.messages
                | Ends -> awake <- false

            // What one that has ended took stays counted, so that nobody schedules it again.
            match fate with
            | Lives ->
                if Interlocked.Add(&waiting, -taken) > 0 then
                    this.Schedule()
            | Ends -> ()

/// The same queue, whose actor runs on the thread of who sends to it: inside its sender, unless
/// it runs already. Then whoever runs it takes this message as well.
[<Sealed>]
type SharedMailbox<'Message when 'Message :> IMessage>() =
    inherit Mailbox<'Message>()

    let queue = ConcurrentQueue<Envelope<'Message>>()
    let mutable life = Unchecked.defaultof<Life<'Message>>

    // What was sent and is not done with. The actor's birth counts as one.
    let mutable waiting = 1

    let run () =
        let mutable envelope = Unchecked.defaultof<Envelope<'Message>>
        let mutable left = 1

        // One that is nested too deeply fails by itself, and not with the whole process.
        RuntimeHelpers.EnsureSufficientExecutionStack()

        while left > 0 do
            queue.TryDequeue(&envelope) |> ignore

            match life.Take(envelope.From, envelope.Message) with
            | Lives -> left <- Interlocked.Decrement(&waiting)
            | Ends -> left <- 0

    override _.Send(from, message) =
        queue.Enqueue { From = from; Message = message }

        if Interlocked.Increment(&waiting) = 1 then run ()

    override this.Tell message =
        ThreadPool.UnsafeQueueUserWorkItem((fun _ -> this.Send(Name.control, message)), null)
        |> ignore

    override _.Start started =
        life <- started

        if Interlocked.Decrement(&waiting) > 0 then run ()
