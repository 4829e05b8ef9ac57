/// Mergesort (spec/mergesort.md): a tree of actors, lists in messages.
module Dramaturg.Benchmarks.Mergesort

open System
open System.Diagnostics
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

/// The root. The children of sorter i are 2i and 2i + 1.
let private root = 1u

/// Both carry their integers, but control's, upon which the root makes them; and the salt: a
/// checksum is made of them by who logs the message, and not sent (SORT-2). Who has sent an array
/// has it no more.
type SorterMessage =
    | Sort of first: uint32 * length: uint32 * salt: uint32 * list: uint32 []
    | Sorted of sorters: uint64 * salt: uint32 * list: uint32 []

    interface IMessage with
        member this.Describe events =
            match this with
            | Sort (first, length, salt, list) ->
                let checksum = checksum salt list
                events.Add(Kind.SorterSort, uint64 first, uint64 length, uint64 salt, uint64 checksum)
            | Sorted (sorters, salt, list) ->
                events.Add(Kind.SorterSorted, uint64 list.Length, sorters, uint64 (checksum salt list))

/// The input (SORT-1).
let private numbers (length: uint32) seed salt =
    stream (fold salt seed) (int length) (fun drawn -> drawn >>> 16)

/// Two sorted lists as one.
let merge (one: uint32 []) (other: uint32 []) =
    let merged = Array.zeroCreate<uint32> (one.Length + other.Length)
    let mutable a = 0
    let mutable b = 0

    for place in 0 .. merged.Length - 1 do
        if b = other.Length || (a < one.Length && one.[a] <= other.[b]) then
            merged.[place] <- one.[a]
            a <- a + 1
        else
            merged.[place] <- other.[b]
            b <- b + 1

    merged

/// `maker` is who made it. Nobody made the root.
type private Sorter
    (
        world: World,
        index: uint32,
        leaf: uint32,
        seed: uint32,
        me: Address<SorterMessage>,
        maker: Address<SorterMessage> option
    ) =
    inherit Actor<SorterMessage>()

    let name = Name.ofFirst Class.Sorter index
    let mutable salt = 0u
    let mutable sorters = 1UL

    // The half that came first.
    let mutable half: uint32 [] option = None

    let finish (list: uint32 []) =
        match maker with
        | Some maker -> maker.Send(name, Sorted(sorters, salt, list))
        | None ->
            let ended = Stopwatch.GetTimestamp()

            let counts =
                [ uint64 list.Length
                  sorters
                  uint64 (checksum salt list) ]

            world.Report(Done(counts, ended))

        Ends

    let sort first (list: uint32 []) =
        if uint32 list.Length <= leaf then
            Array.Sort list
            finish list
        else
            let middle = (list.Length + 1) / 2

            let give index first list =
                let child = Sorter.Spawn(world, index, leaf, seed, Some me)
                child.Send(name, Sort(first, uint32 (Array.length list), salt, list))

            give (2u * index) first (Array.sub list 0 middle)
            give (2u * index + 1u) (first + uint32 middle) (Array.sub list middle (list.Length - middle))
            Lives

    override _.Take(_, message) =
        match message with
        | Sort (first, length, said, list) ->
            salt <- said

            match maker with
            | Some _ -> sort first list
            | None -> sort first (numbers length seed salt)
        | Sorted (others, _, list) ->
            sorters <- sorters + others

            match half with
            | None ->
                half <- Some list
                Lives
            | Some half -> finish (merge half list)

    static member Spawn(world: World, index, leaf, seed, maker) : Address<SorterMessage> =
        let me = world.Mailbox<SorterMessage>()
        world.Spawn(Name.ofFirst Class.Sorter index, me, fun () -> Sorter(world, index, leaf, seed, me, maker))
        upcast me

let populate (world: World) (parameter: Parameters) =
    let length = parameter "length"
    let lead = Sorter.Spawn(world, root, parameter "leaf", parameter "seed", None)
    Benchmark.ending (fun salt -> lead.Tell(Sort(0u, length, salt, [||])))
