/// Who is watched, and which slice of what it takes is logged (TRACE-1, TRACE-16).
namespace Dramaturg.Runtime

open System

/// A row of `Prepare`.
type Watch =
    { Class: int
      Modulus: uint32
      Remainder: uint32
      First: uint32
      Last: uint32
      From: uint32
      Events: uint32 }

module Watch =
    /// All events that there are.
    let private all = UInt32.MaxValue

    let private fits name watch =
        let index = Name.first name

        watch.First <= index
        && index <= watch.Last
        && index % watch.Modulus = watch.Remainder

    /// Whether the message with this number, from 0, is to be logged.
    let wants (number: uint64) watch =
        let from = uint64 watch.From

        number >= from
        && (watch.Events = all || number < from + uint64 watch.Events)

    /// By class and in their order, for a look at each birth.
    let byClass (watches: Watch list) =
        Array.init 128 (fun number ->
            watches
            |> List.filter (fun watch -> watch.Class = 0 || watch.Class = number))

    /// An actor's own watch: the first that it fits.
    let own (watches: Watch list []) name =
        watches.[Name.actorClass name]
        |> List.tryFind (fits name)
