use "collections"
use "time"

// Count (spec/count.md): adders add to one counter, then ask for the sum and
// reset it.

class val Count is Piece
  """
  Adders, and the adds of each: the values 1, 2, 3, ...
  """
  let adders: U64
  let adds: U64
  let _refusal: (Refusal | None)

  new val create(request: JsonObject) =>
    let fields = Fields(request)
    adders = fields.actors("adders")
    adds = fields.times("adds")
    _refusal = fields.refusal

  fun name(): String => "count"

  fun refusal(): (Refusal | None) => _refusal

  fun receipt(done: Done): Array[(String, U64)] =>
    [("adds", done._1); ("sum", done._2)]

  fun val cast(stage: MicroStage, world: World): Opening =>
    let tally = Tally(this, stage, world)
    (adders + 2, tally, {() => tally.start(Names.control()) })

actor Tally is Lead
  """
  Starts the adders and sums their totals.
  """
  let _stage: MicroStage
  embed _role: Role
  embed _adders: Array[Adder] = _adders.create()
  var _adding: U64
  var _adds: U64 = 0
  var _sum: U64 = 0

  new create(piece: Count, stage: MicroStage, world: World) =>
    _stage = stage
    _role = Role(Names.tally(), world)
    _adding = piece.adders
    let counter = Counter(piece.adders, world)
    for index in Range[U64](0, piece.adders) do
      _adders.push(Adder(index, piece.adds, this, counter, world))
    end
    _role.ready()

  be start(sender: Name) =>
    _role.log(sender, TallyTakes.start())
    _stage.started(Time.nanos())
    for adder in _adders.values() do
      adder.go(_role.name)
    end

  be counted(sender: Name, adds: U64, sum: U64) =>
    _role.log(sender, TallyTakes.counted(), adds, sum)
    _adds = _adds + adds
    _sum = _sum + sum
    _adding = _adding - 1
    if _adding == 0 then
      _stage.done(Time.nanos(), _adds, _sum)
      _terminate()
    end

  be abandon() =>
    _terminate()

  fun ref _terminate() =>
    _adders.clear()
    _role.let_go()

  fun _final() =>
    _role.leave()

actor Adder
  """
  Adds, then asks.
  """
  let _adds: U64
  let _tally: Tally
  let _counter: Counter
  embed _role: Role

  new create(
    index: U64,
    adds: U64,
    tally: Tally,
    counter: Counter,
    world: World)
  =>
    _adds = adds
    _tally = tally
    _counter = counter
    _role = Role(Names.adder(index), world)
    _role.ready()

  be go(sender: Name) =>
    _role.log(sender, AdderTakes.go())
    for value in Range[U64](1, _adds + 1) do
      if _role.interrupted(value) then return end
      _counter.add(_role.name, value.u32())
    end
    _counter.get_and_reset(_role.name, this)

  be total(sender: Name, adds: U64, sum: U64) =>
    _role.log(sender, AdderTakes.total(), adds, sum)
    _tally.counted(_role.name, adds, sum)
    _role.terminate()

  fun _final() =>
    _role.leave()

actor Counter
  """
  Holds the sum; ends when every adder has asked.
  """
  embed _role: Role
  var _asking: U64
  var _adds: U64 = 0
  var _sum: U64 = 0

  new create(adders: U64, world: World) =>
    _role = Role(Names.counter(), world)
    _asking = adders
    _role.ready()

  be add(sender: Name, value: U32) =>
    _role.log(sender, CounterTakes.add(), value.u64())
    _adds = _adds + 1
    _sum = _sum + value.u64()

  be get_and_reset(sender: Name, adder: Adder) =>
    _role.log(sender, CounterTakes.get_and_reset())
    adder.total(_role.name, _adds, _sum)
    _adds = 0
    _sum = 0
    _asking = _asking - 1
    if _asking == 0 then _role.let_go() end

  fun _final() =>
    _role.leave()
