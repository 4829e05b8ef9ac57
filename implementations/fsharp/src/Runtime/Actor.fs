/// What an actor is, where it is sent to, and the one way in which it takes messages.
namespace Dramaturg.Runtime

/// Whether an actor takes another message.
[<Struct>]
type Fate =
    | Lives
    | Ends

/// One actor: its state, and what it does upon a message (ACT-1, ACT-2).
[<AbstractClass>]
type Actor<'Message>() =
    abstract Take: from: Name * message: 'Message -> Fate

/// Who is told what becomes of an actor: its world.
type IWarden =
    abstract Ended: Name -> unit
    abstract Failed: Name * exn -> unit

/// The life of an actor, watched or not: `log` is there, or null.
[<Sealed>]
type Life<'Message when 'Message :> IMessage>(name: Name,
                                              actor: Actor<'Message>,
                                              log: Log,
                                              warden: IWarden) =

    member _.Take(from: Name, message: 'Message) =
        try
            if not (isNull log) then log.Take(from, message)

            match actor.Take(from, message) with
            | Ends ->
                warden.Ended name
                Ends
            | Lives -> Lives
        with failure ->
            warden.Failed(name, failure)
            Ends

/// A message on its way, with the name of who sent it (IMPL-11).
[<Struct>]
type Envelope<'Message> = { From: Name; Message: 'Message }

/// Where to send to one actor.
[<AbstractClass>]
type Address<'Message>() =
    abstract Send: from: Name * message: 'Message -> unit

    /// Sends what control says. No actor runs on control's own thread.
    abstract Tell: message: 'Message -> unit
    default this.Tell message = this.Send(Name.control, message)

/// An address with an actor behind it, once it has been given one.
[<AbstractClass>]
type Mailbox<'Message when 'Message :> IMessage>() =
    inherit Address<'Message>()
    abstract Start: Life<'Message> -> unit
