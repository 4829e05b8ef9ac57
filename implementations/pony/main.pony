actor Main
  """
  Connects the control port to standard input.
  """
  new create(env: Env) =>
    let curtain = Curtain
    let control = Control(curtain)
    Requests(Runtime(env), control, curtain)
