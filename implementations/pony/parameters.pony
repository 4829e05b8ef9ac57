class val ChatAppParameters
  """
  Parameters of one iteration; probabilities in percent.
  """
  let clients: U64
  let directories: U64
  let turns: U64
  let compute: U64
  let post: U64
  let leave: U64
  let invite: U64
  let befriend: U64
  let selection: Selection
  let fib_n: U64
  let history: Bool
  let seed: U64

  new val create(
    clients': U64,
    directories': U64,
    turns': U64,
    compute': U64,
    post': U64,
    leave': U64,
    invite': U64,
    befriend': U64,
    selection': Selection,
    fib_n': U64,
    history': Bool,
    seed': U64)
  =>
    clients = clients'
    directories = directories'
    turns = turns'
    compute = compute'
    post = post'
    leave = leave'
    invite = invite'
    befriend = befriend'
    selection = selection'
    fib_n = fib_n'
    history = history'
    seed = seed'

primitive Cumulative
  """
  One draw; the actions own consecutive ranges of 0..99.
  """

primitive Cascade
  """
  Up to four draws, one for each action in turn.
  """

type Selection is (Cumulative | Cascade)

// What a client does when it acts. The numbers are those of trace.proto.
primitive Draw fun number(): U64 => 0
primitive Compute fun number(): U64 => 1
primitive Post fun number(): U64 => 2
primitive Leave fun number(): U64 => 3
primitive Invite fun number(): U64 => 4
primitive Idle fun number(): U64 => 5
primitive Join fun number(): U64 => 6

type Action is (Compute | Post | Leave | Invite | Idle)
type Choice is (Draw | Action | Join)

primitive Choices
  fun apply(number: U64): Choice =>
    match number
    | 1 => Compute
    | 2 => Post
    | 3 => Leave
    | 4 => Invite
    | 5 => Idle
    | 6 => Join
    else Draw
    end
