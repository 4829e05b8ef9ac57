/// What control knows of a benchmark.
namespace Dramaturg.Benchmarks

open Dramaturg.Runtime

/// What `Prepare` says of a benchmark: its parameters by name. Those that are true or false are
/// 1 or 0.
type Parameters = string -> uint32

/// What `Act` says. `Choice` is one of `Table.Choice`.
type Act =
    { Client: uint32
      Choice: int
      Index: uint32
      K: uint32 }

/// What a lead has said to control since `Prepare`, in its order: what receipts are filled with.
type Said =
    { Done: uint64 list
      Finished: uint64 list
      Confirmed: Confirmed list
      /// How long each turn was.
      TurnNanos: uint64 list
      /// Counts of windows, and how long each was.
      Windows: (uint64 * uint64) list
      /// The source's histograms (OPEN-5).
      Latency: uint64 list
      Lateness: uint64 list }

module Said =
    let nothing =
        { Done = []
          Finished = []
          Confirmed = []
          TurnNanos = []
          Windows = []
          Latency = []
          Lateness = [] }

/// A count of a receipt, or several.
type Figure =
    | One of uint64
    | Many of uint64 list

/// A benchmark's own receipt, field by field.
type Receipt = (string * Figure) list

/// How ChatApp is driven beside `Run`.
type Driven =
    { SetUp: unit -> unit
      Act: Act -> unit
      Turn: unit -> unit
      /// So many `confirmed` end a run.
      Turns: int }

type Benchmark =
    { /// Sends the message that starts a run, with the salt.
      Start: uint32 -> unit
      /// Only ChatApp's. The poker answers its `disconnect`, and no other lead does.
      Driven: Driven option
      /// Tells the lead to end, where it has to be told.
      Disconnect: unit -> unit
      Receipt: Said -> Receipt }

module Benchmark =
    /// One whose actors all end by themselves. What its lead says is done are these fields.
    let ending start fields =
        { Start = start
          Driven = None
          Disconnect = ignore
          Receipt = fun said -> List.map2 (fun field count -> field, One count) fields said.Done }

    /// The same, with the windows of those that have them.
    let windowed start fields =
        let counted = ending start fields

        { counted with
            Receipt =
                fun said ->
                    counted.Receipt said
                    @ [ "windows", Many(List.map fst said.Windows)
                        "window_nanos", Many(List.map snd said.Windows) ] }
