use "collections"
use "../actor"
use "../arithmetic"
use "../world"

// Count (spec/count.md): adders add to one counter, then ask for the sum and
// reset it.

primitive Count
  fun apply(parameters: Parameters, world: World): Lead =>
    let adders = parameters.number("adders")
    let tally = Tally(adders, parameters.number("adds"), world)
    object val is Lead
      fun births(): U64 => adders.u64() + 2
      fun run(salt: U32) => tally.start(Names.control(), salt)
    end

actor Tally
  """
  Starts the adders and sums their totals.
  """
  embed _self: Self
  embed _adders: Array[Adder]
  var _busy: U32
  var _adds: U64 = 0
  var _sum: U32 = 0

  new create(adders: U32, adds: U32, world: World) =>
    _self = Self(Names(Classes.tally()), world)
    _adders = Array[Adder](adders.usize())
    _busy = adders
    let counter = Counter(adders, world)
    for index in Range[U32](0, adders) do
      _adders.push(Adder(index, adds, this, counter, world))
    end
    _self.ready()

  be start(sender: Name, salt: U32) =>
    _self.took(sender, Kinds.tally_start(), salt.u64())
    for adder in _adders.values() do
      adder.go(_self.name, salt)
    end

  be counted(sender: Name, adds: U64, sum: U32) =>
    _self.took(sender, Kinds.tally_counted(), adds, sum.u64())
    _adds = _adds + adds
    _sum = _sum + sum
    _busy = _busy - 1
    if _busy == 0 then
      _self.control.done(Stopwatch.stop(), [_adds; _sum.u64()])
      _adders.clear()
      _self.let_go()
    end

  fun _final() =>
    _self.leave()

actor Adder
  """
  Adds, then asks.
  """
  let _index: U32
  let _adds: U32
  let _tally: Tally
  let _counter: Counter
  embed _self: Self

  new create(
    index: U32,
    adds: U32,
    tally: Tally,
    counter: Counter,
    world: World)
  =>
    _index = index
    _adds = adds
    _tally = tally
    _counter = counter
    _self = Self(Names(Classes.adder(), index), world)
    _self.ready()

  be go(sender: Name, salt: U32) =>
    _self.took(sender, Kinds.adder_go(), salt.u64())
    let digest = Fold(salt, _index)
    for number in Range[U32](0, _adds) do
      _counter.add(_self.name, Fold(digest, number))
    end
    _counter.get_and_reset(_self.name, this)

  be total(sender: Name, adds: U64, sum: U32) =>
    _self.took(sender, Kinds.adder_total(), adds, sum.u64())
    _tally.counted(_self.name, adds, sum)
    _self.terminate()

  fun _final() =>
    _self.leave()

actor Counter
  """
  Holds the sum; ends when every adder has asked.
  """
  embed _self: Self
  var _asking: U32
  var _adds: U64 = 0
  var _sum: U32 = 0

  new create(adders: U32, world: World) =>
    _self = Self(Names(Classes.counter()), world)
    _asking = adders
    _self.ready()

  be add(sender: Name, value: U32) =>
    _self.took(sender, Kinds.counter_add(), value.u64())
    _adds = _adds + 1
    _sum = _sum + value

  be get_and_reset(sender: Name, adder: Adder) =>
    _self.took(sender, Kinds.counter_get_and_reset())
    adder.total(_self.name, _adds, _sum)
    _adds = 0
    _sum = 0
    _asking = _asking - 1
    if _asking == 0 then _self.let_go() end

  fun _final() =>
    _self.leave()
