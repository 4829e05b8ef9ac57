use "control"

actor Main
  """
  Connects the control port to standard input.
  """
  new create(env: Env) =>
    Requests(env.root, ControlPort(env))
