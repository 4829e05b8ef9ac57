/// The receive log of a watched actor: integers only (IMPL-11).
namespace Dramaturg.Runtime

/// What has been logged and not been delivered, in columns.
type Events() =
    member val Senders = ResizeArray<Name>()
    member val Kinds = ResizeArray<int>()
    member val Arguments = ResizeArray<uint64>()

    /// What a message says of itself.
    member this.Add(kind: int, [<System.ParamArray>] arguments: uint64 []) =
        this.Kinds.Add kind
        this.Arguments.AddRange arguments

/// What actors send to each other.
type IMessage =
    /// Adds its kind and the arguments that a log has of it, in their order.
    abstract Describe: Events -> unit

/// A log, written by its actor and read by control. Null where nobody watches.
[<AllowNullLiteral; Sealed>]
type Log(name: Name, watch: Watch) =
    let guard = obj ()
    let mutable events = Events()
    let mutable taken = 0UL

    member _.Name = name

    /// Counts a message that its actor has taken, and keeps it if it is in the slice.
    member _.Take(from: Name, message: #IMessage) =
        lock guard (fun () ->
            if Watch.wants taken watch then
                message.Describe events
                events.Senders.Add from

            taken <- taken + 1UL)

    /// What was logged since the last call, and the messages taken in all.
    member _.Deliver() =
        lock guard (fun () ->
            let delivered = events
            events <- Events()
            delivered, taken)
