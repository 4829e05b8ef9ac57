/// The table of benchmarks.
module Dramaturg.Benchmarks.Catalogue

open Dramaturg.Runtime

/// Makes the first actors of a benchmark in a world.
let populate name : World -> Parameters -> Benchmark =
    match name with
    | "chatapp" -> ChatApp.ChatApp.populate
    | "pingpong" -> PingPong.populate
    | "big" -> Big.populate
    | "bang" -> Bang.populate
    | "web" -> Web.populate
    | "count" -> Count.populate
    | "chain" -> Chain.populate
    | "fanout" -> Fanout.populate
    | "sleepers" -> Sleepers.populate
    | "mergesort" -> Mergesort.populate
    | "broker" -> Broker.populate
    | "openweb" -> OpenWeb.populate
    | other -> failwithf "no benchmark %s" other
