actor Main
  """
  Connects the control port to standard input.
  """
  new create(env: Env) =>
    let curtain = Curtain
    let control = Control(Runtime(env), curtain)
    env.input(Requests(control, curtain), 4096)
