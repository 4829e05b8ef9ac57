/// The actors of one iteration: how they are born, watched and counted.
namespace Dramaturg.Runtime

open System.Collections.Concurrent
open System.Threading

/// Which mailboxes the actors of a process have.
type MailboxKind =
    | Processor
    | Simple
    | Shared

[<Sealed>]
type World(kind: MailboxKind, watches: Watch list) =
    let watches = Watch.byClass watches
    let logs = ResizeArray<Log>()
    let reports = new BlockingCollection<Report>()

    // Born and not ended. Only what makes actors and disposes of them counts (IMPL-7).
    let mutable alive = 0L

    let watch name =
        match Watch.own watches name with
        | None -> null
        | Some watch ->
            let log = Log(name, watch)
            lock logs (fun () -> logs.Add log)
            log

    let gone () =
        if Interlocked.Decrement(&alive) = 0L then
            lock reports (fun () -> Monitor.PulseAll reports)

    /// A mailbox for an actor that is not there yet.
    member _.Mailbox<'Message when 'Message :> IMessage>() : Mailbox<'Message> =
        match kind with
        | Processor -> upcast ProcessorMailbox<'Message>()
        | Simple -> upcast SimpleMailbox<'Message>()
        | Shared -> upcast SharedMailbox<'Message>()

    /// Starts the actor that `make` makes. Whether it is watched is decided here. One that cannot be
    /// made has failed as well (CTRL-10).
    member this.Spawn(name: Name, mailbox: Mailbox<'Message>, make: unit -> #Actor<'Message>) =
        Interlocked.Increment(&alive) |> ignore

        match (try Ok(make ()) with failure -> Error failure) with
        | Ok actor -> mailbox.Start(Life(name, actor, watch name, this))
        | Error failure -> (this :> IWarden).Failed(name, failure)

    /// Has the runtime's timer send a message, `milliseconds` from now and no sooner.
    member _.SendAfter(milliseconds: uint32, address: Address<'Message>, from: Name, message: 'Message) =
        // The timer's clock has whole milliseconds, so the one that has begun does not count.
        let delay =
            if milliseconds = 0u then
                0
            else
                int milliseconds + 1

        Async.Start(
            async {
                do! Async.Sleep delay
                address.Send(from, message)
            }
        )

    /// Has the clock send a message `nanos` after the stamp `since`, and no sooner; at once, if that is past.
    member _.SendAt(since: int64, nanos: uint64, address: Address<'Message>, from: Name, message: 'Message) =
        Clock.at since nanos (fun () -> address.Send(from, message))

    /// Tells control.
    member _.Report(report: Report) = reports.Add report

    /// Waits for the next report.
    member _.NextReport() = reports.Take()

    /// The reason, if an actor has failed and nobody was told.
    member _.Failure() =
        reports.ToArray()
        |> Array.tryPick (function
            | Failed (actor, reason) -> Some(actor, reason)
            | _ -> None)

    /// The logs of everybody who is watched and was born by now.
    member _.Logs() = lock logs (fun () -> logs.ToArray())

    member _.Alive = Interlocked.Read(&alive)

    /// Waits until no actor is alive, or until their number has been the same for `patience`
    /// milliseconds (CTRL-17).
    member this.WaitForTheEnd(patience: int) =
        lock reports (fun () ->
            let mutable before = -1L

            while this.Alive > 0L && this.Alive <> before do
                before <- this.Alive
                Monitor.Wait(reports, patience) |> ignore)

    interface IWarden with
        member _.Ended _ = gone ()

        member this.Failed(name, failure) =
            this.Report(Failed(name, sprintf "%s: %s" (failure.GetType().Name) failure.Message))
            gone ()
