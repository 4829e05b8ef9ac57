/// Requests: one JSON object a line (spec/stdio.md).
namespace Dramaturg.Control

open Dramaturg.Benchmarks
open Dramaturg.Runtime

/// A question of arithmetic (level 0).
type Probe =
    | Lcg of seed: uint32 * moduli: uint32 list
    | Shuffle of seed: uint32 * length: uint32
    | Fibonacci of n: uint32
    | Fold of salt: uint32 * numbers: uint32 list
    | Payloads of salt: uint32 * tasks: uint32 * size: uint32
    | Latencies of due: uint64 * answered: uint64 []

type Call =
    | Describe of Probe list
    | Prepare of benchmark: string * Parameters * Watch list
    | Act of Act
    | Turn
    | Run of salt: uint32
    | Trace
    | Teardown

type Request = { Id: uint64; Call: Call }

module Request =
    let private number name = Json.field name >> Json.number

    let private numbers name =
        Json.field name
        >> Json.list
        >> List.map Json.number

    let private probe json =
        match Json.only json with
        | "lcg", asked -> Lcg(number "seed" asked, numbers "moduli" asked)
        | "shuffle", asked -> Shuffle(number "seed" asked, number "length" asked)
        | "fibonacci", asked -> Fibonacci(number "n" asked)
        | "fold", asked -> Fold(number "salt" asked, numbers "numbers" asked)
        | "payloads", asked -> Payloads(number "salt" asked, number "tasks" asked, number "size" asked)
        | "latencies", asked ->
            let answered = Json.field "answered" asked |> Json.list
            Latencies(Json.wide (Json.field "due" asked), answered |> List.map Json.wide |> Array.ofList)
        | other, _ -> failwithf "no probe %s" other

    let private watch json =
        { Class = int (number "class" json)
          Modulus = number "modulus" json
          Remainder = number "remainder" json
          First = number "first" json
          Last = number "last" json
          From = number "from" json
          Events = number "events" json }

    let private all name one =
        Json.field name >> Json.list >> List.map one

    let private call name request =
        match name with
        | "describe" -> Describe(all "probes" probe request)
        | "prepare" ->
            let benchmark, parameters = Json.only (Json.field "benchmark" request)
            Prepare(benchmark, (fun name -> number name parameters), all "watches" watch request)
        | "act" ->
            Act
                { Client = number "client" request
                  Choice = int (number "choice" request)
                  Index = number "index" request
                  K = number "k" request }
        | "turn" -> Turn
        | "run" -> Run(number "salt" request)
        | "trace" -> Trace
        | "teardown" -> Teardown
        | other -> failwithf "no call %s" other

    let parse line =
        let json = Json.parse line

        match Json.field "id" json with
        | Number id ->
            { Id = id
              Call = call (Json.text (Json.field "call" json)) (Json.field "request" json) }
        | other -> failwithf "no id: %A" other
