/// A client: acts once a turn, with friends and chats of its own.
module Dramaturg.Benchmarks.ChatApp.Client

open System
open Dramaturg.Benchmarks
open Dramaturg.Benchmarks.Fibonacci
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

/// The `turn` of a `leave` upon `logout`.
let private noTurn = UInt32.MaxValue

/// A friend, by number and address.
[<Struct>]
type private Friend =
    { Number: uint32
      Address: Address<ClientMessage> }

/// One act, as it came or was drawn.
[<Struct>]
type private Doing =
    { Turn: uint32
      Index: uint32
      K: uint32
      Salt: uint32
      Accumulator: Accumulating }

type private Client
    (
        world: World,
        index: uint32,
        seed: uint32,
        me: Address<ClientMessage>,
        directory: Address<DirectoryMessage>,
        parameters: ChatParameters
    ) =
    inherit Actor<ClientMessage>()

    let name = Name.ofFirst Class.Client index
    let lcg = Lcg seed
    let friends = ResizeArray<Friend>()
    let chats = ResizeArray<Address<ChatMessage>>()
    let mutable made = 0u
    let mutable posted = 0u
    let mutable counts = Counts.Zero

    // Once it logs out: `leave`s that are not answered.
    let mutable unanswered = 0

    let stop (accumulator: Accumulating) level value =
        accumulator.Send(name, Stop(level, value))

    let bump (accumulator: Accumulating) n =
        accumulator.Send(name, Bump(0, uint64 n, 0u))

    let drawCumulative () =
        let draw = lcg.NextInt 100u
        let { ChatParameters.Compute = compute; Post = post; Leave = leave; Invite = invite } = parameters

        if draw < compute then Choice.Compute
        elif draw < compute + post then Choice.Post
        elif draw < compute + post + leave then Choice.Leave
        elif draw < compute + post + leave + invite then Choice.Invite
        else Choice.None

    let drawCascade () =
        if lcg.NextInt 100u < parameters.Compute then Choice.Compute
        elif lcg.NextInt 100u < parameters.Post then Choice.Post
        elif lcg.NextInt 100u < parameters.Leave then Choice.Leave
        elif lcg.NextInt 100u < parameters.Invite then Choice.Invite
        else Choice.None

    let draw () =
        match parameters.Selection with
        | Cumulative -> drawCumulative ()
        | Cascade -> drawCascade ()

    let count choice =
        match choice with
        | Choice.Compute -> counts <- { counts with Computes = counts.Computes + 1UL }
        | Choice.Post -> counts <- { counts with Posts = counts.Posts + 1UL }
        | Choice.Leave -> counts <- { counts with Leaves = counts.Leaves + 1UL }
        | Choice.Invite -> counts <- { counts with Invites = counts.Invites + 1UL }
        | Choice.None -> counts <- { counts with Nones = counts.Nones + 1UL }
        | _ -> ()

    let sendJoin (chat: Address<ChatMessage>) (doing: Doing) (friend: Friend) =
        chat.Send(name, Join(doing.Turn, friend.Number, friend.Address, doing.Accumulator))

    let hasChat (doing: Doing) = doing.Index < uint32 chats.Count

    let post (doing: Doing) =
        let payload = (uint64 index <<< 32) ||| uint64 (doing.Salt + posted)

        chats
            .[int doing.Index]
            .Send(name, Post(doing.Turn, payload, doing.Accumulator))

        posted <- posted + 1u

    let leave (doing: Doing) =
        let chat = chats.[int doing.Index]
        chats.RemoveAt(int doing.Index)
        chat.Send(name, Leave(doing.Turn, Some doing.Accumulator))

    let invite isDrawn (doing: Doing) =
        let k =
            if isDrawn then
                lcg.Shuffle friends
                lcg.NextInt(uint32 friends.Count)
            else
                doing.K

        let invited = max 1u (min k (uint32 friends.Count))
        let chat = Chat.spawn world name made me parameters.History
        made <- made + 1u
        bump doing.Accumulator invited

        for place in 0 .. int invited - 1 do
            sendJoin chat doing friends.[place]

        chats.Add chat

    let join (doing: Doing) =
        bump doing.Accumulator 1u
        sendJoin chats.[int doing.Index] doing friends.[int doing.K]

    /// What cannot be carried out is reported at once.
    let act choice isDrawn doing =
        count choice

        match choice with
        | Choice.Compute -> stop doing.Accumulator 0 (fibonacci parameters.FibN)
        | Choice.Post when hasChat doing -> post doing
        | Choice.Leave when hasChat doing -> leave doing
        | Choice.Invite when friends.Count > 0 -> invite isDrawn doing
        | Choice.Join when hasChat doing && doing.K < uint32 friends.Count -> join doing
        | _ -> stop doing.Accumulator 0 0UL

    let actOrDraw choice (doing: Doing) =
        if choice = Choice.Draw then
            let doing = { doing with Index = lcg.NextInt(uint32 chats.Count) }
            act (draw ()) true doing
        else
            act choice false doing

    let finish () =
        counts <- { counts with Lcg = uint64 lcg.State }
        directory.Send(name, DirectoryMessage.Left counts)
        Ends

    let logout () =
        for chat in chats do
            chat.Send(name, Leave(noTurn, None))

        unanswered <- chats.Count
        if unanswered = 0 then finish () else Lives

    let left accumulator =
        match accumulator with
        | Some accumulator ->
            stop accumulator 0 0UL
            Lives
        | None ->
            unanswered <- unanswered - 1
            if unanswered = 0 then finish () else Lives

    override _.Take(_, message) =
        match message with
        | ClientMessage.Befriend (friend, address) ->
            friends.Add { Number = friend; Address = address }
            Lives
        | ClientMessage.Settle ->
            directory.Send(name, DirectoryMessage.Settled)
            Lives
        | ClientMessage.Act (turn, choice, index, k, salt, accumulator) ->
            actOrDraw
                choice
                { Turn = turn
                  Index = index
                  K = k
                  Salt = salt
                  Accumulator = accumulator }

            Lives
        | Forward (_, level, payload, accumulator) ->
            counts <- { counts with Deliveries = counts.Deliveries + 1UL }
            stop accumulator level (uint64 (digest payload))
            Lives
        | Accepted (_, level, chat, accumulator) ->
            chats.Add chat
            counts <- { counts with Joins = counts.Joins + 1UL }
            stop accumulator level 0UL
            Lives
        | ClientMessage.Left (_, accumulator) -> left accumulator
        | Logout -> logout ()

/// Client `index` with its seed.
let spawn (world: World) index seed directory parameters =
    let me = world.Mailbox<ClientMessage>()
    world.Spawn(Name.ofFirst Class.Client index, me, fun () -> Client(world, index, seed, me, directory, parameters))
    me :> Address<ClientMessage>
