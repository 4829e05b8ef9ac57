/// The clock for what is due to the nanosecond. It runs no actors (OPEN-2).
module Dramaturg.Runtime.Clock

open System.Collections.Concurrent
open System.Runtime.InteropServices
open System.Threading
open Dramaturg.Control

module private Posix =
    /// Both numbers are as wide as an address.
    [<Struct; StructLayout(LayoutKind.Sequential)>]
    type Timespec =
        { Seconds: nativeint
          Nanoseconds: nativeint }

    [<DllImport("libc")>]
    extern int nanosleep(Timespec& request, nativeint remaining)

/// What is to be done so many nanoseconds after a stamp.
[<Struct>]
type private Order =
    { Since: int64
      Nanos: uint64
      Action: unit -> unit }

// Timers, Thread.Sleep and Async.Sleep have whole milliseconds, so they are up to one late. To spin
// for the rest takes a core from the servers. The system's own sleep is late by some microseconds.
let rec private wait order =
    let passed = Stopwatch.nanos order.Since (Stopwatch.now ())

    if passed < order.Nanos then
        let left = order.Nanos - passed

        let mutable request: Posix.Timespec =
            { Seconds = nativeint (left / 1_000_000_000UL)
              Nanoseconds = nativeint (left % 1_000_000_000UL) }

        Posix.nanosleep (&request, 0n) |> ignore
        wait order

let private orders =
    lazy
        (let orders = new BlockingCollection<Order>()

         let work () =
             for order in orders.GetConsumingEnumerable() do
                 wait order
                 order.Action()

         Thread(work, IsBackground = true).Start()
         orders)

/// Makes its thread, unless it is there: before the first call, since it outlives all worlds (IMPL-8).
/// One is enough: there is one source at a time, and it waits for one arrival at a time.
let start () = orders.Force() |> ignore

/// Does something `nanos` after the stamp `since`, and no sooner.
let at since nanos action =
    orders.Value.Add
        { Since = since
          Nanos = nanos
          Action = action }
