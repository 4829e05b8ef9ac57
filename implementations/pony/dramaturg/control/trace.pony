use "collections"
use "../json"
use "../world"

class Trace
  """
  The logs of a world, until they are asked for.
  """
  embed born: Array[(Name, Cell)] = born.create()
  var rows: Array[(Name, Name, U32, Arguments)] = []

  fun ref deliver(id: U64) =>
    """
    All that was logged and not yet delivered, and how many messages each
    watched actor has taken in all.
    """
    // Half of what a line may have keeps it at some two megabytes of text.
    let most: USize = 32_768
    let rows' = rows = []
    for from in Range(0, rows'.size(), most) do
      (let actors, let senders) = (Array[Name], Array[Name])
      (let kinds, let args) = (Array[U32], Array[U64])
      for (name, sender, kind, a) in rows'.slice(from, from + most).values() do
        actors.push(name)
        senders.push(sender)
        kinds.push(kind)
        args.append(
          [a._1; a._2; a._3; a._4; a._5; a._6; a._7; a._8]
          where len = Kinds.arity(kind))
      end
      JsonLine(id) .> open("item") .> open("batch")
        .> numbers("actor", actors)
        .> numbers("sender", senders)
        .> numbers[U32]("kind", kinds)
        .> numbers("args", args)
        .> send()
    end
    for from in Range(0, born.size(), most) do
      (let actors, let counts) = (Array[Name], Array[U64])
      for (name, taken) in born.slice(from, from + most).values() do
        actors.push(name)
        counts.push(Cells.read(taken))
      end
      JsonLine(id) .> open("item") .> open("counts")
        .> numbers("actor", actors)
        .> numbers("taken", counts)
        .> send()
    end
    JsonLine(id) .> open("item") .> open("footer")
      .> number("events", rows'.size().u64())
      .> number("watched", born.size().u64())
      .> send()
    JsonLine(id) .> yes("end") .> send()

  fun discard() =>
    """
    Forget those who can't take anything any more.
    """
    for (_, taken) in born.values() do Cells.discard(taken) end
