/// The table of benchmarks.
module Dramaturg.Benchmarks.Catalogue

open Dramaturg.Runtime

/// Makes the first actors of a benchmark in a world.
let populate name : World -> Parameters -> Benchmark =
    match name with
    | "pingpong" -> PingPong.populate
    | "count" -> Count.populate
    | other -> failwithf "no benchmark %s" other
