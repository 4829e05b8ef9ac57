/// What runtime this is, and the answers to probes.
module Dramaturg.Control.Description

open System
open System.Runtime
open System.Text.Json
open Dramaturg.Benchmarks
open Dramaturg.Benchmarks.Fibonacci
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime

let answer probe =
    match probe with
    | Lcg (seed, moduli) ->
        let lcg = Dramaturg.Benchmarks.Lcg seed

        moduli
        |> List.map (fun limit -> uint64 (lcg.NextInt limit))
    | Shuffle (seed, length) ->
        let lcg = Dramaturg.Benchmarks.Lcg seed
        let list = ResizeArray(Seq.init (int length) uint64)
        lcg.Shuffle list
        List.ofSeq list @ [ uint64 lcg.State ]
    | Fibonacci n -> [ fibonacci n ]
    | Fold (salt, numbers) -> [ uint64 (List.fold fold salt numbers) ]
    | Payloads (salt, tasks, size) -> [ uint64 (Broker.sumOfResults salt tasks size) ]
    | Latencies (due, answered) -> Histogram.counts (Array.map (fun _ -> due) answered) answered

let private details kind =
    [ "fsharp.core",
      typeof<int list>
          .Assembly.GetName()
          .Version.ToString()
      "mailbox",
      match kind with
      | Processor -> "MailboxProcessor"
      | Simple -> "SimpleMailbox"
      | Shared -> "SharedMailbox"
      "collector",
      if GCSettings.IsServerGC then
          "server"
      else
          "workstation" ]

/// Writes the answer to `describe`.
let write kind probes (writer: Utf8JsonWriter) =
    writer.WriteString("runtime", ".NET")
    writer.WriteString("runtime_version", Environment.Version.ToString())
    writer.WriteNumber("schedulers", Environment.ProcessorCount)
    writer.WriteStartObject "details"

    for name, said in details kind do
        writer.WriteString((name: string), (said: string))

    writer.WriteEndObject()
    writer.WriteStartArray "answers"

    for probe in probes do
        writer.WriteStartObject()
        Write.numbers "values" (answer probe) writer
        writer.WriteEndObject()

    writer.WriteEndArray()
