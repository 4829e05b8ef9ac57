/// What the actors of ChatApp say to each other (spec/chatapp.md), and its parameters.
namespace Dramaturg.Benchmarks.ChatApp

open Dramaturg.Runtime
open Dramaturg.Runtime.Table

/// How draws become an action (CHAT-20, CHAT-21).
type Selection =
    | Cumulative
    | Cascade

type ChatParameters =
    { Clients: uint32
      Directories: uint32
      Turns: uint32
      Compute: uint32
      Post: uint32
      Leave: uint32
      Invite: uint32
      Befriend: uint32
      Selection: Selection
      FibN: uint32
      History: bool
      Seed: uint32 }

/// What clients count, and directories and the poker add up.
type Counts =
    { Lcg: uint64
      Computes: uint64
      Posts: uint64
      Leaves: uint64
      Invites: uint64
      Nones: uint64
      Deliveries: uint64
      Joins: uint64 }

    static member Zero =
        { Lcg = 0UL
          Computes = 0UL
          Posts = 0UL
          Leaves = 0UL
          Invites = 0UL
          Nones = 0UL
          Deliveries = 0UL
          Joins = 0UL }

    static member (+)(one, other) =
        { Lcg = one.Lcg + other.Lcg
          Computes = one.Computes + other.Computes
          Posts = one.Posts + other.Posts
          Leaves = one.Leaves + other.Leaves
          Invites = one.Invites + other.Invites
          Nones = one.Nones + other.Nones
          Deliveries = one.Deliveries + other.Deliveries
          Joins = one.Joins + other.Joins }

    /// In the order in which they are arguments of `left` and `finished`.
    member this.InOrder =
        [ this.Lcg
          this.Computes
          this.Posts
          this.Leaves
          this.Invites
          this.Nones
          this.Deliveries
          this.Joins ]

type PokerMessage =
    | Prepare
    | Settled
    | Act of client: uint32 * choice: int * index: uint32 * k: uint32
    | Turn
    | Run of salt: uint32
    | Confirm of turn: uint32 * value: uint64 * stops: uint64 * announced: uint32 * consumed: uint32
    | Disconnect
    | Finished of Counts

    interface IMessage with
        member this.Describe events =
            match this with
            | Prepare -> events.Add Kind.PokerPrepare
            | Settled -> events.Add Kind.PokerSettled
            | Act (client, choice, index, k) ->
                events.Add(Kind.PokerAct, uint64 client, uint64 choice, uint64 index, uint64 k)
            | Turn -> events.Add Kind.PokerTurn
            | Run salt -> events.Add(Kind.PokerRun, uint64 salt)
            | Confirm (turn, value, stops, announced, consumed) ->
                events.Add(Kind.PokerConfirm, uint64 turn, value, stops, uint64 announced, uint64 consumed)
            | Disconnect -> events.Add Kind.PokerDisconnect
            | Finished counts -> events.Add(Kind.PokerFinished, List.toArray counts.InOrder)

type AccumulatorMessage =
    | Stop of level: int * value: uint64
    | Bump of level: int * n: uint64 * digest: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Stop (level, value) -> events.Add(Kind.AccumulatorStop, uint64 level, value)
            | Bump (level, n, digest) -> events.Add(Kind.AccumulatorBump, uint64 level, n, uint64 digest)

type Accumulating = Address<AccumulatorMessage>

type ClientMessage =
    | Befriend of friend: uint32 * Address<ClientMessage>
    | Settle
    | Act of turn: uint32 * choice: int * index: uint32 * k: uint32 * salt: uint32 * Accumulating
    | Forward of turn: uint32 * level: int * payload: uint64 * Accumulating
    | Accepted of turn: uint32 * level: int * Address<ChatMessage> * Accumulating
    /// Upon `logout` no accumulator is told.
    | Left of turn: uint32 * Accumulating option
    | Logout

    interface IMessage with
        member this.Describe events =
            match this with
            | Befriend (friend, _) -> events.Add(Kind.ClientBefriend, uint64 friend)
            | Settle -> events.Add Kind.ClientSettle
            | Act (turn, choice, index, k, salt, _) ->
                events.Add(Kind.ClientAct, uint64 turn, uint64 choice, uint64 index, uint64 k, uint64 salt)
            | Forward (turn, level, payload, _) ->
                events.Add(Kind.ClientForward, uint64 turn, uint64 level, payload)
            | Accepted (turn, level, _, _) -> events.Add(Kind.ClientAccepted, uint64 turn, uint64 level)
            | Left (turn, _) -> events.Add(Kind.ClientLeft, uint64 turn)
            | Logout -> events.Add Kind.ClientLogout

and ChatMessage =
    | Post of turn: uint32 * payload: uint64 * Accumulating
    | Join of turn: uint32 * friend: uint32 * Address<ClientMessage> * Accumulating
    | Leave of turn: uint32 * Accumulating option

    interface IMessage with
        member this.Describe events =
            match this with
            | Post (turn, payload, _) -> events.Add(Kind.ChatPost, uint64 turn, payload)
            | Join (turn, friend, _, _) -> events.Add(Kind.ChatJoin, uint64 turn, uint64 friend)
            | Leave (turn, _) -> events.Add(Kind.ChatLeave, uint64 turn)

type DirectoryMessage =
    | Login of client: uint32
    | Befriend
    | Settle
    | Settled
    | Poke of turn: uint32 * salt: uint32 * Accumulating
    | Act of turn: uint32 * client: uint32 * choice: int * index: uint32 * k: uint32 * Accumulating
    | Disconnect
    | Left of Counts

    interface IMessage with
        member this.Describe events =
            match this with
            | Login client -> events.Add(Kind.DirectoryLogin, uint64 client)
            | Befriend -> events.Add Kind.DirectoryBefriend
            | Settle -> events.Add Kind.DirectorySettle
            | Settled -> events.Add Kind.DirectorySettled
            | Poke (turn, salt, _) -> events.Add(Kind.DirectoryPoke, uint64 turn, uint64 salt)
            | Act (turn, client, choice, index, k, _) ->
                events.Add(
                    Kind.DirectoryAct,
                    uint64 turn,
                    uint64 client,
                    uint64 choice,
                    uint64 index,
                    uint64 k
                )
            | Disconnect -> events.Add Kind.DirectoryDisconnect
            | Left counts -> events.Add(Kind.DirectoryLeft, List.toArray counts.InOrder)
