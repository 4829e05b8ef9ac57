/// The control port: lines in, lines out, and the end of the input (STDIO-1, CTRL-11).
module Dramaturg.Control.Port

open System.Collections.Concurrent
open System.IO
open System.Text
open System.Threading

/// Answers what is asked, one after the other, on a thread of its own. Whatever goes wrong there
/// ends the process: a call would wait for ever.
let private answering (answer: 'Asked -> unit) =
    let asked = new BlockingCollection<'Asked>()

    let work () =
        for one in asked.GetConsumingEnumerable() do
            try
                answer one
            with failure ->
                eprintfn "%O" failure
                exit 1

    Thread(work, IsBackground = true).Start()
    asked

let private answerTrace (session: Session) (answers: Answers) id =
    session.World
    |> Option.iter (fun world -> Traces.send world (fun name fields -> answers.Item(id, name, fields)))

    answers.End id

/// Takes calls until the input ends, and returns then, whatever is under way.
///
/// A trace is answered beside other calls (CTRL-9), and not here: nobody may read what is written,
/// and the end of the input is to be seen all the same (STDIO-9).
let serve kind (input: Stream) (output: Stream) =
    let answers = Answers output
    let session = Session(kind, answers)
    let calls = answering session.Answer
    let traces = answering (answerTrace session answers)
    use lines = new StreamReader(input, UTF8Encoding false)

    let rec next () =
        match lines.ReadLine() with
        | null -> ()
        | line ->
            let taken = Stopwatch.now ()
            let request = Request.parse line

            match request.Call with
            | Trace -> traces.Add request.Id
            | _ -> calls.Add((request, taken))

            next ()

    next ()
