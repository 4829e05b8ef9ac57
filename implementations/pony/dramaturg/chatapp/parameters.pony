use "../world"

class val ChatAppParameters
  """
  Parameters of one iteration; probabilities in percent (CHAT-1).
  """
  let clients: U32
  let directories: U32
  let turns: U32
  let compute: U32
  let post: U32
  let leave: U32
  let invite: U32
  let befriend: U32
  let selection: Selection
  let fib_n: U32
  let history: Bool
  let seed: U32

  new val create(parameters: Parameters) =>
    clients = parameters.number("clients")
    directories = parameters.number("directories")
    turns = parameters.number("turns")
    compute = parameters.number("compute")
    post = parameters.number("post")
    leave = parameters.number("leave")
    invite = parameters.number("invite")
    befriend = parameters.number("befriend")
    selection =
      if parameters.number("selection") == 1 then Cumulative else Cascade end
    fib_n = parameters.number("fib_n")
    history = parameters.flag("history")
    seed = parameters.number("seed")

primitive Cumulative
  """
  One draw; the actions own consecutive ranges of 0..99 (CHAT-20).
  """

primitive Cascade
  """
  Up to four draws, one for each action in turn (CHAT-21).
  """

type Selection is (Cumulative | Cascade)

// What a client does when it acts. The numbers are those of trace.proto.
primitive Draw fun number(): U32 => 0
primitive Compute fun number(): U32 => 1
primitive Post fun number(): U32 => 2
primitive Leave fun number(): U32 => 3
primitive Invite fun number(): U32 => 4
primitive Idle fun number(): U32 => 5
primitive Join fun number(): U32 => 6

type Action is (Compute | Post | Leave | Invite | Idle)
type Choice is (Draw | Action | Join)

primitive Choices
  fun apply(number: U32): Choice =>
    match number
    | 1 => Compute
    | 2 => Post
    | 3 => Leave
    | 4 => Invite
    | 5 => Idle
    | 6 => Join
    else Draw
    end
