/// The stream of a `trace`: batches, counts, footer (TRACE-3, CTRL-7).
module Dramaturg.Control.Traces

open Dramaturg.Runtime

/// Rows of one message. Most have few and small arguments, so a batch of so many stays far
/// below 4 MiB.
let private rows = 32_768

/// Arguments of one message: ten bytes each at most, so 1.25 MiB.
let private arguments = 131_072

/// Rows of a batch that is being filled.
type private Batch() =
    member val Actors = ResizeArray<uint64>()
    member val Senders = ResizeArray<uint64>()
    member val Kinds = ResizeArray<uint64>()
    member val Arguments = ResizeArray<uint64>()

    member this.IsFull =
        this.Kinds.Count >= rows
        || this.Arguments.Count >= arguments

    member this.Send send =
        if this.Kinds.Count > 0 then
            send "batch" (fun writer ->
                Write.numbers "actor" this.Actors writer
                Write.numbers "sender" this.Senders writer
                Write.numbers "kind" this.Kinds writer
                Write.numbers "args" this.Arguments writer)

/// Sends what was logged and not delivered yet.
let send (world: World) send =
    let counts = ResizeArray<struct (Name * uint64)>()
    let mutable batch = Batch()
    let mutable events = 0

    for log in world.Logs() do
        let logged, taken = log.Deliver()
        let mutable next = 0
        counts.Add(struct (log.Name, taken))
        events <- events + logged.Kinds.Count

        for row in 0 .. logged.Kinds.Count - 1 do
            let kind = logged.Kinds.[row]
            let arity = Table.arity kind
            batch.Actors.Add log.Name
            batch.Senders.Add logged.Senders.[row]
            batch.Kinds.Add(uint64 kind)
            batch.Arguments.AddRange(logged.Arguments.GetRange(next, arity))
            next <- next + arity

            if batch.IsFull then
                batch.Send send
                batch <- Batch()

    batch.Send send

    for chunk in Seq.chunkBySize rows counts do
        send "counts" (fun writer ->
            Write.numbers "actor" (chunk |> Seq.map (fun struct (name, _) -> name)) writer
            Write.numbers "taken" (chunk |> Seq.map (fun struct (_, taken) -> taken)) writer)

    let delivered = uint64 events

    send "footer" (fun writer ->
        Write.number "events" delivered writer
        Write.number "watched" (uint64 counts.Count) writer)
