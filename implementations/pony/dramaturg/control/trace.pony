use "../world"

class Trace
  """
  The logs of a world, until they are asked for.
  """
  embed _born: Array[(Name, Cell)] = _born.create()
  var _full: Array[_Batch] = []
  var _batch: _Batch = _Batch

  fun ref born(name: Name, taken: Cell) =>
    _born.push((name, taken))

  fun ref took(
    actor': Name,
    sender: Name,
    kind: U32,
    arguments: Arguments)
  =>
    if _batch.size() == _most() then _full.push(_batch = _Batch) end
    _batch.push(actor', sender, kind, arguments)

  fun ref deliver(id: U64) =>
    """
    All that was logged and not yet delivered, and how many messages each
    watched actor has taken in all.
    """
    var events: USize = 0
    _full.push(_batch = _Batch)
    for batch in (_full = []).values() do
      if batch.size() > 0 then
        events = events + batch.size()
        let answer = Answer(id) .> open("item") .> open("batch")
        batch.write(answer)
        answer.send()
      end
    end
    _deliver_counts(id)
    Answer(id)
      .> open("item")
      .> open("footer")
      .> number("events", events.u64())
      .> number("watched", _born.size().u64())
      .> send()
    Answer(id) .> yes("end") .> send()

  fun _deliver_counts(id: U64) =>
    var from: USize = 0
    while from < _born.size() do
      let actors = Array[Name]
      let counts = Array[U64]
      for (name, taken) in _born.slice(from, from + _most()).values() do
        actors.push(name)
        counts.push(Cells.read(taken))
      end
      Answer(id)
        .> open("item")
        .> open("counts")
        .> numbers[Name]("actor", actors)
        .> numbers[U64]("taken", counts)
        .> send()
      from = from + _most()
    end

  fun discard() =>
    """
    Forget those who can't take anything any more.
    """
    for (_, taken) in _born.values() do
      Cells.discard(taken)
    end

  fun _most(): USize =>
    """
    Rows of a line: half of what it may have, which keeps it at some two
    megabytes of text.
    """
    32_768

class _Batch
  """
  Rows in columns, as they are sent.
  """
  embed _actor: Array[Name] = _actor.create()
  embed _sender: Array[Name] = _sender.create()
  embed _kind: Array[U32] = _kind.create()
  embed _args: Array[U64] = _args.create()

  fun size(): USize =>
    _actor.size()

  fun ref push(actor': Name, sender: Name, kind: U32, arguments: Arguments) =>
    _actor.push(actor')
    _sender.push(sender)
    _kind.push(kind)
    let arity = Kinds.arity(kind)
    if arity > 0 then _args.push(arguments._1) end
    if arity > 1 then _args.push(arguments._2) end
    if arity > 2 then _args.push(arguments._3) end
    if arity > 3 then _args.push(arguments._4) end
    if arity > 4 then _args.push(arguments._5) end
    if arity > 5 then _args.push(arguments._6) end
    if arity > 6 then _args.push(arguments._7) end
    if arity > 7 then _args.push(arguments._8) end

  fun write(answer: Answer) =>
    answer
      .> numbers[Name]("actor", _actor)
      .> numbers[Name]("sender", _sender)
      .> numbers[U32]("kind", _kind)
      .> numbers[U64]("args", _args)
