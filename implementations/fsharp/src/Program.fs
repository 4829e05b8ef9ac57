/// The Dramaturg benchmarks. Calls come over standard input.
module Dramaturg.Program

open System
open Dramaturg.Control
open Dramaturg.Runtime

let private usage =
    "usage: benchmarks [--mailbox processor|simple|shared]

Takes calls on standard input and answers on standard output, a JSON object a line.

  --mailbox KIND   processor: F#'s MailboxProcessor (if nothing is said)
                   simple:    a ConcurrentQueue and the thread pool
                   shared:    the same queue; an actor runs on its sender's thread"

[<EntryPoint>]
let main arguments =
    let serve kind =
        Clock.start ()
        Port.serve kind (Console.OpenStandardInput()) (Console.OpenStandardOutput())
        0

    match List.ofArray arguments with
    | []
    | [ "--mailbox"; "processor" ] -> serve Processor
    | [ "--mailbox"; "simple" ] -> serve Simple
    | [ "--mailbox"; "shared" ] -> serve Shared
    | _ ->
        eprintfn "%s" usage
        2
