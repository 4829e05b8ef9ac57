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
    { /// The arguments of `done`.
      Done: uint64 list
      Finished: uint64 list
      Confirmed: Confirmed list
      /// How long each turn was.
      TurnNanos: uint64 list
      /// Counts of windows, and how long each was.
      Windows: (uint64 * uint64) list
      /// Of all naps, in nanoseconds (SLEEP-5).
      Shortest: uint64
      /// The source's histograms (OPEN-5).
      Latency: uint64 list
      Lateness: uint64 list }

/// What a field of a receipt has.
type Figure =
    | One of uint64
    | Many of uint64 list
    | Text of string

/// A benchmark's own receipt, field by field.
type Receipt = (string * Figure) list

module Said =
    let nothing =
        { Done = []
          Finished = []
          Confirmed = []
          TurnNanos = []
          Windows = []
          Shortest = 0UL
          Latency = []
          Lateness = [] }

    /// The receipt of any benchmark but ChatApp: what its lead has reported in the end, and what
    /// was counted and timed beside it.
    let repeated benchmark said : Receipt =
        [ "benchmark", Text benchmark
          "arguments", Many said.Done
          "windows", Many(List.map fst said.Windows)
          "window_nanos", Many(List.map snd said.Windows)
          "shortest_nanos", One said.Shortest
          "latency", Many said.Latency
          "lateness", Many said.Lateness ]

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
      /// Only ChatApp's is its own; all others repeat what the lead has reported.
      Receipt: (Said -> Receipt) option }

module Benchmark =
    /// One whose actors all end by themselves.
    let ending start =
        { Start = start
          Driven = None
          Disconnect = ignore
          Receipt = None }
