/// The windowed forms (spec/windows.md): what a lead does by its timer.
namespace Dramaturg.Benchmarks

open Dramaturg.Runtime

/// How many windows, and how long each is in milliseconds. Without windows: the counted form.
type Windows =
    { Windows: uint32
      Window: uint32 }

    member this.Counted = this.Windows = 0u

    /// Whether this is the number of the last window.
    member this.IsLast number = number + 1u = this.Windows

    /// Starts the timer for window `number`, if there is one (WIN-1).
    member this.StartTimer(world: World, lead: Address<'Message>, name: Name, number: uint32, tick: uint32 -> 'Message) =
        if number < this.Windows then
            world.SendAfter(this.Window, lead, name, tick number)

module Windows =
    let ofParameters (parameter: Parameters) =
        { Windows = parameter "windows"
          Window = parameter "window" }
