/// Names of actors (ACT-3).
namespace Dramaturg.Runtime

/// Class, first and second index in one integer. It carries no address.
type Name = uint64

module Name =
    /// The actor with two indices. The second one has 24 bits.
    let ofSecond (actorClass: int) (first: uint32) (second: uint32) : Name =
        (uint64 actorClass <<< 56) ||| (uint64 first <<< 24) ||| uint64 (second &&& 0xffffffu)

    /// The actor of this class with this first index.
    let ofFirst actorClass first = ofSecond actorClass first 0u

    /// The sender of what the harness asked for. It is no actor.
    let control = ofFirst Table.Class.Control 0u

    let actorClass (name: Name) = int (name >>> 56)

    let first (name: Name) = uint32 (name >>> 24)

    let second (name: Name) = uint32 name &&& 0xffffffu

    /// As people write it: "client/17", "chat/17.2".
    let text name =
        let label = Table.classLabel (actorClass name)

        if actorClass name = Table.Class.Chat then
            sprintf "%s/%d.%d" label (first name) (second name)
        else
            sprintf "%s/%d" label (first name)
