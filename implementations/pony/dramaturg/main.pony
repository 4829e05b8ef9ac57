use "control"
use "world"

actor Main
  """
  Connects the control port to standard input.
  """
  new create(env: Env) =>
    let cells = Watches.cells()
    Requests(env, ControlPort(env, cells), cells)
