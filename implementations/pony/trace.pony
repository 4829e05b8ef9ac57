class ReceiveLog
  """
  The log of one actor. Without a trace it is one predictable branch a message;
  built with `--define=bare` it is nothing.
  """
  let _actor: Name
  let trace: (Trace | None)
  var _seq: U32 = 0

  new create(actor': Name, trace': (Trace | None)) =>
    _actor = actor'
    trace = trace'

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
      match trace
      | let trace': Trace =>
        trace'.took(_actor, _seq, sender, kind, (a, b, c, d, e, f, g, h))
        _seq = _seq + 1
      end
    end

  fun is_kept(): Bool =>
    """
    Whether there is a log, for those to whom its arguments are work.
    """
    ifdef "bare" then false else trace isnt None end

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
  embed _kind: Array[U16] = _kind.create()
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
    _kind.push(kind.u16())
    let arity = _Kind.arity(kind)
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
    text = Decimals.list[U16](consume text, _kind)
    text.append(",\"args\":")
    text = Decimals.list[U64](consume text, _args)
    text.push('}')
    consume text
