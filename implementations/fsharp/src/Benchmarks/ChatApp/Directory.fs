/// A directory: makes its clients, makes them friends, and passes the poker's word on.
module Dramaturg.Benchmarks.ChatApp.Directory

open Dramaturg.Benchmarks
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

/// A client, by number and address.
[<Struct>]
type private Entry =
    { Number: uint32
      Address: Address<ClientMessage> }

type private Directory
    (
        world: World,
        name: Name,
        seed: uint32,
        me: Address<DirectoryMessage>,
        poker: Address<PokerMessage>,
        parameters: ChatParameters
    ) =
    inherit Actor<DirectoryMessage>()

    let lcg = Lcg seed

    // In login order.
    let clients = ResizeArray<Entry>()
    let mutable settled = 0
    let mutable left = 0
    let mutable counts = Counts.Zero

    let tellAll message =
        for client in clients do
            client.Address.Send(name, message)

    let login number =
        let client = Client.spawn world number (lcg.Draw()) me parameters
        clients.Add { Number = number; Address = client }

    let makeFriendOf (client: Entry) (friend: Entry) =
        client.Address.Send(name, ClientMessage.Befriend(friend.Number, friend.Address))

    /// One pass over all clients for the one at `f`. Whether it has made a friendship.
    let pass f =
        let mutable hasFriend = false

        for c in 0 .. clients.Count - 1 do
            let draw = lcg.NextInt 100u

            if draw < parameters.Befriend && c <> f then
                makeFriendOf clients.[c] clients.[f]
                makeFriendOf clients.[f] clients.[c]
                hasFriend <- true

        hasFriend

    let befriend () =
        for f in 0 .. clients.Count - 1 do
            while not (pass f) do
                ()

    /// The client with this number: numbers are dealt to directories in turn (CHAT-3).
    let client number =
        clients.[int (number / parameters.Directories)].Address

    let takeLeft others =
        counts <- counts + others
        left <- left + 1

        if left < clients.Count then
            Lives
        else
            poker.Send(name, PokerMessage.Finished counts)
            Ends

    override _.Take(_, message) =
        match message with
        | Login client ->
            login client
            Lives
        | Befriend ->
            befriend ()
            Lives
        | Settle ->
            tellAll ClientMessage.Settle
            Lives
        | Settled ->
            settled <- settled + 1

            if settled = clients.Count then
                poker.Send(name, PokerMessage.Settled)

            Lives
        | Poke (turn, salt, accumulator) ->
            tellAll (ClientMessage.Act(turn, Choice.Draw, 0u, 0u, salt, accumulator))
            Lives
        | Act (turn, number, choice, index, k, accumulator) ->
            (client number)
                .Send(name, ClientMessage.Act(turn, choice, index, k, 0u, accumulator))

            Lives
        | Disconnect ->
            tellAll Logout
            Lives
        | Left others -> takeLeft others

/// Directory `index` with its seed.
let spawn (world: World) index seed poker parameters =
    let me = world.Mailbox<DirectoryMessage>()
    let name = Name.ofFirst Class.Directory index
    world.Spawn(name, me, fun () -> Directory(world, name, seed, me, poker, parameters))
    me :> Address<DirectoryMessage>
