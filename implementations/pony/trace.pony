type Name is U64

primitive Names
  """
  Actor names (spec/actors.md): a class and two indices in one integer.
  """
  fun control(): Name => 1 << 56
  fun poker(): Name => 2 << 56
  fun directory(index: U64): Name => (3 << 56) or (index << 24)
  fun client(number: U64): Name => (4 << 56) or (number << 24)
  fun chat(creator: U64, created: U64): Name =>
    (5 << 56) or (creator << 24) or created
  fun accumulator(turn: U64): Name => (6 << 56) or (turn << 24)
  fun ping(): Name => 10 << 56
  fun pong(): Name => 11 << 56

  fun index_of(name: Name): U64 =>
    (name >> 24) and 0xFFFF_FFFF

  fun spell(name: Name): String =>
    """
    A name as people read it: `client/17`, `chat/17.2`.
    """
    let index = index_of(name).string()
    match name >> 56
    | 1 => "control"
    | 2 => "poker/" + consume index
    | 3 => "directory/" + consume index
    | 4 => "client/" + consume index
    | 5 => "chat/" + consume index + "." + (name and 0xFF_FFFF).string()
    | 6 => "accumulator/" + consume index
    | 10 => "ping/" + consume index
    | 11 => "pong/" + consume index
    else "actor " + name.string()
    end

// Message kinds, by receiver; numbers and arities are those of trace.proto.
// A kind carries its arity in the bits above its number.
type Kind is U32

primitive _Kind
  fun apply(number: U32, arity: U32 = 0): Kind => (arity << 8) or number

primitive PokerTakes
  fun prepare(): Kind => _Kind(33)
  fun settled(): Kind => _Kind(34)
  fun act(): Kind => _Kind(35, 4)
  fun turn(): Kind => _Kind(36)
  fun run(): Kind => _Kind(37)
  fun confirm(): Kind => _Kind(38, 2)
  fun disconnect(): Kind => _Kind(39)
  fun finished(): Kind => _Kind(40, 8)

primitive DirectoryTakes
  fun login(): Kind => _Kind(49, 1)
  fun befriend(): Kind => _Kind(50)
  fun settle(): Kind => _Kind(51)
  fun settled(): Kind => _Kind(52)
  fun poke(): Kind => _Kind(53, 1)
  fun act(): Kind => _Kind(54, 5)
  fun disconnect(): Kind => _Kind(55)
  fun left(): Kind => _Kind(56, 8)

primitive ClientTakes
  fun befriend(): Kind => _Kind(65, 1)
  fun settle(): Kind => _Kind(66)
  fun act(): Kind => _Kind(67, 4)
  fun forward(): Kind => _Kind(68, 3)
  fun accepted(): Kind => _Kind(69, 2)
  fun left(): Kind => _Kind(70, 1)
  fun logout(): Kind => _Kind(71)

primitive ChatTakes
  fun post(): Kind => _Kind(81, 2)
  fun join(): Kind => _Kind(82, 2)
  fun leave(): Kind => _Kind(83, 1)

primitive AccumulatorTakes
  fun stop(): Kind => _Kind(97, 2)
  fun bump(): Kind => _Kind(98, 2)

primitive PingTakes
  fun start(): Kind => _Kind(161, 1)
  fun pong(): Kind => _Kind(162, 1)

primitive PongTakes
  fun ping(): Kind => _Kind(177, 1)

class ReceiveLog
  """
  The log of one actor. Without a trace it is one predictable branch a message;
  built with `--define=bare` it is nothing.
  """
  let _actor: Name
  let _trace: (Trace | None)
  var _seq: U32 = 0

  new create(actor': Name, trace: (Trace | None)) =>
    _actor = actor'
    _trace = trace

  fun ref apply(
    sender: Name,
    kind: Kind,
    a: U64 = 0,
    b: U64 = 0,
    c: U64 = 0,
    d: U64 = 0,
    e: U64 = 0,
    f: U64 = 0,
    g: U64 = 0,
    h: U64 = 0)
  =>
    ifdef not "bare" then
      match _trace
      | let trace: Trace =>
        trace.took(_actor, _seq, sender, kind, (a, b, c, d, e, f, g, h))
        _seq = _seq + 1
      end
    end

  fun ref sums(sender: Name, kind: Kind, s: Sums) =>
    apply(sender, kind, s._1, s._2, s._3, s._4, s._5, s._6, s._7, s._8)

type Arguments is (U64, U64, U64, U64, U64, U64, U64, U64)

actor Trace
  """
  Keeps the receive logs of one world until they are asked for. Pony delivers
  messages in causal order, so what an actor logged before it sent anything is
  here before any consequence of that can reach the control port.
  """
  var _batches: Array[_Batch] = []
  var _batch: _Batch = _Batch
  var _discarded: Bool = false

  be took(actor': Name, seq: U32, sender: Name, kind: Kind, args: Arguments) =>
    if _discarded then return end
    if _batch.full() then
      _batches.push(_batch = _Batch)
    end
    _batch.push(actor', seq, sender, kind, args)

  be deliver(id: I64) =>
    """
    Answer the call `trace` of that id with all that was logged and not yet
    delivered.
    """
    var events: USize = 0
    _batches.push(_batch = _Batch)
    for batch in (_batches = []).values() do
      if batch.size() > 0 then
        events = events + batch.size()
        Wire.line(Answer.item(id, "batch", batch.json()))
      end
    end
    let footer = "{\"events\":" + events.string() + "}"
    Wire.line(Answer.item(id, "footer", consume footer))
    Wire.line(Answer.end_of_stream(id))

  be discard() =>
    """
    Forget everything, also what may still come.
    """
    _discarded = true
    _batches = []
    _batch = _Batch

class _Batch
  """
  Rows in columns, as the control port wants them. Half of the rows that it
  allows, which keeps a line of text at some two megabytes.
  """
  embed _actor: Array[Name] = _actor.create()
  embed _seq: Array[U32] = _seq.create()
  embed _sender: Array[Name] = _sender.create()
  embed _kind: Array[U8] = _kind.create()
  embed _args: Array[U64] = _args.create()

  fun size(): USize =>
    _actor.size()

  fun full(): Bool =>
    size() == 32_768

  fun ref push(
    actor': Name,
    seq: U32,
    sender: Name,
    kind: Kind,
    args: Arguments)
  =>
    _actor.push(actor')
    _seq.push(seq)
    _sender.push(sender)
    _kind.push(kind.u8())
    let arity = kind >> 8
    if arity > 0 then _args.push(args._1) end
    if arity > 1 then _args.push(args._2) end
    if arity > 2 then _args.push(args._3) end
    if arity > 3 then _args.push(args._4) end
    if arity > 4 then _args.push(args._5) end
    if arity > 5 then
      _args .> push(args._6) .> push(args._7) .> push(args._8)
    end

  fun json(): String =>
    var text = recover iso String(size() * 72) end
    text.append("{\"actor\":")
    text = Decimals.list[U64](consume text, _actor)
    text.append(",\"seq\":")
    text = Decimals.list[U32](consume text, _seq)
    text.append(",\"sender\":")
    text = Decimals.list[U64](consume text, _sender)
    text.append(",\"kind\":")
    text = Decimals.list[U8](consume text, _kind)
    text.append(",\"args\":")
    text = Decimals.list[U64](consume text, _args)
    text.push('}')
    consume text
