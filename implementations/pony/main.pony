actor Main
  """
  Connects the control port to standard input.
  """
  new create(env: Env) =>
    let curtain = Curtain
    let control = Control(curtain)
    env.input(Requests(Runtime(env), control, curtain), 4096)
