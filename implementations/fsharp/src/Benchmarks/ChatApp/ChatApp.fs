/// ChatApp (spec/chatapp.md): a chat service and its users.
module Dramaturg.Benchmarks.ChatApp.ChatApp

open Dramaturg.Benchmarks
open Dramaturg.Runtime

let private ofParameters (parameter: Parameters) =
    { Clients = parameter "clients"
      Directories = parameter "directories"
      Turns = parameter "turns"
      Compute = parameter "compute"
      Post = parameter "post"
      Leave = parameter "leave"
      Invite = parameter "invite"
      Befriend = parameter "befriend"
      Selection =
          match parameter "selection" with
          | 1u -> Cumulative
          | 2u -> Cascade
          | other -> failwithf "no selection %d" other
      FibN = parameter "fib_n"
      History = parameter "history" = 1u
      Seed = parameter "seed" }

let private receipt (said: Said) : Receipt =
    let sum (what: Confirmed -> uint64) = One(List.sumBy what said.Confirmed)

    // These wrap at 32 bits (ACT-10), where `List.sumBy` fails.
    let digests (what: Confirmed -> uint32) =
        One(uint64 (List.fold (fun sum confirmed -> sum + what confirmed) 0u said.Confirmed))

    let finished =
        List.map2
            (fun field count -> field, One count)
            [ "lcg_checksum"
              "computes"
              "posts"
              "leaves"
              "invites"
              "nones"
              "deliveries"
              "joins" ]
            said.Finished

    finished
    @ [ "fib_sum", sum (fun confirmed -> confirmed.Value)
        "confirms", One(uint64 said.Confirmed.Length)
        "stops", sum (fun confirmed -> confirmed.Stops)
        "announced", digests (fun confirmed -> confirmed.Announced)
        "consumed", digests (fun confirmed -> confirmed.Consumed)
        "turn_nanos", Many said.TurnNanos ]

let populate (world: World) (parameter: Parameters) =
    let parameters = ofParameters parameter
    let poker = Poker.spawn world parameters

    { Start = Run >> poker.Tell
      Driven =
          Some
              { SetUp = fun () -> poker.Tell Prepare
                Act =
                    fun { Client = client; Choice = choice; Index = index; K = k } ->
                        poker.Tell(PokerMessage.Act(client, choice, index, k))
                Turn = fun () -> poker.Tell Turn
                Turns = int parameters.Turns }
      Disconnect = fun () -> poker.Tell PokerMessage.Disconnect
      Receipt = Some receipt }
