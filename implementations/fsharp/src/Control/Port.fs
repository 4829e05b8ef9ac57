/// The control port: lines in, lines out, and the end of the input (STDIO-1, CTRL-11).
module Dramaturg.Control.Port

open System
open System.Collections.Concurrent
open System.IO
open System.Text
open System.Threading

/// Calls one after the other, on a thread of their own. Whatever goes wrong there ends the
/// process: a call would wait for ever.
let private answerCalls (session: Session) (calls: BlockingCollection<Request * int64>) =
    for request, taken in calls.GetConsumingEnumerable() do
        try
            session.Answer(request, taken)
        with failure ->
            eprintfn "%O" failure
            exit 1

let private answerTrace (session: Session) (answers: Answers) id =
    session.World
    |> Option.iter (fun world -> Traces.send world (fun name fields -> answers.Item(id, name, fields)))

    answers.End id

/// Takes calls until the input ends, and returns then, whatever is under way.
let serve kind =
    let answers = Answers(Console.OpenStandardOutput())
    let session = Session(kind, answers)
    use input = new StreamReader(Console.OpenStandardInput(), UTF8Encoding false)
    let calls = new BlockingCollection<Request * int64>()
    let thread = Thread((fun () -> answerCalls session calls), IsBackground = true)
    thread.Start()

    let rec next () =
        match input.ReadLine() with
        | null -> ()
        | line ->
            let taken = Stopwatch.now ()
            let request = Request.parse line

            match request.Call with
            | Trace -> answerTrace session answers request.Id
            | _ -> calls.Add((request, taken))

            next ()

    next ()
