use "collections"
use "time"

// Mergesort (spec/mergesort.md): a tree of actors that split a list and merge
// it back. A list is handed over as a value that nobody can change any more.

type Numbers is Array[U32] val

class val Mergesort is Piece
  """
  Integers to sort, the length that is not split any more, and the LCG's seed.
  """
  let length: U64
  let leaf: U64
  let seed: U64
  let _refusal: (Refusal | None)

  new val create(request: JsonObject) =>
    let fields = Fields(request)
    length = fields.number("length", 1, 1 << 24)
    leaf = fields.number("leaf", 1, 1 << 24)
    seed = fields.number("seed", 0, 65535)
    _refusal = fields.refusal

  fun name(): String => "mergesort"

  fun refusal(): (Refusal | None) => _refusal

  fun receipt(done: Done): Array[(String, U64)] =>
    [("checksum", done._2); ("sorters", done._3)]

  fun val cast(stage: MicroStage, world: World): Opening =>
    let sorter = Sorter(1, stage, leaf.u32(), world)
    let numbers = _numbers()
    (1, sorter, {() => sorter.sort(Names.control(), 0, numbers) })

  fun val _numbers(): Numbers =>
    recover
      let lcg = Lcg(seed)
      let numbers = Array[U32](length.usize())
      for _ in Range[U64](0, length) do numbers.push(lcg.next().u32()) end
      numbers
    end

actor Sorter is Lead
  """
  Splits in two halves, the first the longer if they differ, or sorts.

  A sorter knows only its maker, so nothing holds on to one that has ended.
  """
  let _place: U64
  let _maker: (Sorter | MicroStage)
  let _leaf: U32
  embed _role: Role
  var _first: U32 = 0
  var _half: (Numbers | None) = None
  var _sorters: U32 = 1

  new create(
    place: U64,
    maker: (Sorter | MicroStage),
    leaf: U32,
    world: World)
  =>
    _place = place
    _maker = maker
    _leaf = leaf
    _role = Role(Names.sorter(place), world)
    if place == 1 then _role.ready() end

  be sort(sender: Name, first: U32, numbers: Numbers) =>
    if _role.log.is_kept() then
      _role.log(
        sender,
        SorterTakes.sort(),
        first.u64(),
        numbers.size().u64(),
        Checksum[U32](numbers).u64())
    end
    match _maker
    | let stage: MicroStage => stage.started(Time.nanos())
    end
    if _role.abandoned() then return end
    if numbers.size() <= _leaf.usize() then
      _answer(_sort(numbers))
      // Having made nobody, it is let go by its maker.
      _role.terminate()
    else
      let middle = (numbers.size() + 1) / 2
      _split(2 * _place, first, numbers, 0, middle)
      _split(
        (2 * _place) + 1, first + middle.u32(), numbers, middle, numbers.size())
    end

  fun tag _sort(numbers: Numbers): Numbers =>
    if numbers.size() < 2 then return numbers end
    recover Sort[Array[U32], U32](numbers.clone()) end

  fun _split(
    place: U64,
    first: U32,
    numbers: Numbers,
    from: USize,
    to: USize)
  =>
    Sorter(place, this, _leaf, _role.world())
      .sort(_role.name, first, recover numbers.slice(from, to) end)

  be sorted(sender: Name, numbers: Numbers, sorters: U32) =>
    if _role.log.is_kept() then
      _role.log(
        sender,
        SorterTakes.sorted(),
        numbers.size().u64(),
        Checksum[U32](numbers).u64(),
        sorters.u64())
    end
    _sorters = _sorters + sorters
    match (_half = None)
    | let half: Numbers =>
      _answer(_merge(half, numbers))
      _role.let_go()
    | None => _half = numbers
    end

  fun tag _merge(a: Numbers, b: Numbers): Numbers =>
    recover
      let merged = Array[U32](a.size() + b.size())
      var i: USize = 0
      var j: USize = 0
      try
        while (i < a.size()) and (j < b.size()) do
          let x = a(i)?
          let y = b(j)?
          if x <= y then
            merged.push(x)
            i = i + 1
          else
            merged.push(y)
            j = j + 1
          end
        end
      end
      a.copy_to(merged, i, i + j, a.size() - i)
      b.copy_to(merged, j, merged.size(), b.size() - j)
      merged
    end

  fun ref _answer(numbers: Numbers) =>
    match _maker
    | let stage: MicroStage =>
      let ended = Time.nanos()
      stage.done(
        ended,
        numbers.size().u64(),
        Checksum[U32](numbers).u64(),
        _sorters.u64())
    | let sorter: Sorter =>
      sorter.sorted(_role.name, numbers, _sorters)
    end

  be abandon() =>
    None

  fun _final() =>
    _role.leave()
