/// A chat: a list of members, in which a client can occur several times, and a history.
module Dramaturg.Benchmarks.ChatApp.Chat

open System
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

/// A member, by name and address.
[<Struct>]
type private Member =
    { Name: Name
      Address: Address<ClientMessage> }

type private Chat(name: Name, me: Address<ChatMessage>, host: Member, keepsHistory: bool) =
    inherit Actor<ChatMessage>()

    let members = ResizeArray [ host ]
    let history = ResizeArray<uint64>()
    let mutable digests = 0u

    let bump (accumulator: Accumulating) level n sum =
        accumulator.Send(name, Bump(level, uint64 n, sum))

    let forward (address: Address<ClientMessage>) turn level payload accumulator =
        address.Send(name, Forward(turn, level, payload, accumulator))

    let post turn payload accumulator =
        let posted = digest payload

        if keepsHistory then
            history.Add payload
            digests <- digests + posted

        bump accumulator 0 members.Count (uint32 members.Count * posted)

        for each in members do
            forward each.Address turn 1 payload accumulator

    let join turn friend (address: Address<ClientMessage>) accumulator =
        let level = if history.Count = 0 then 1 else 2

        if history.Count > 0 then
            bump accumulator 1 (history.Count + 1) digests

            for payload in history do
                forward address turn level payload accumulator

        address.Send(name, Accepted(turn, level, me, accumulator))

        members.Add
            { Name = Name.ofFirst Class.Client friend
              Address = address }

    let leave from turn accumulator =
        let place = members.FindIndex(Predicate(fun each -> each.Name = from))
        let leaving = members.[place]
        members.RemoveAt place
        leaving.Address.Send(name, ClientMessage.Left(turn, accumulator))
        if members.Count = 0 then Ends else Lives

    override _.Take(from, message) =
        match message with
        | Post (turn, payload, accumulator) ->
            post turn payload accumulator
            Lives
        | Join (turn, friend, address, accumulator) ->
            join turn friend address accumulator
            Lives
        | Leave (turn, accumulator) -> leave from turn accumulator

/// The nth chat of its host, from 0.
let spawn (world: World) (host: Name) (nth: uint32) address keepsHistory =
    let me = world.Mailbox<ChatMessage>()
    let name = Name.ofSecond Class.Chat (Name.first host) nth
    let host = { Name = host; Address = address }
    world.Spawn(name, me, fun () -> Chat(name, me, host, keepsHistory))
    me :> Address<ChatMessage>
