use "collections"
use "../actor"
use "../arithmetic"
use "../world"

// Mergesort (spec/mergesort.md): a tree of actors that split a list and merge
// it back. A list is handed over as a value that nobody can change any more.

type Numbers is Array[U32] val

primitive Mergesort
  fun apply(parameters: Parameters, world: World): Lead =>
    let length = parameters.number("length")
    let root =
      Sorter(
        1, None, parameters.number("leaf"), parameters.number("seed"), world)
    object val is Lead
      fun run(salt: U32) => root.sort(Names.control(), 0, length, salt, [])
    end

primitive Integers
  """
  The integers that the root makes upon `sort` (SORT-1).
  """
  fun apply(salt: U32, seed: U32, length: USize): Numbers =>
    recover
      let stream = Stream(Fold(salt, seed))
      let numbers = Array[U32](length)
      for _ in Range(0, length) do numbers.push(stream.next() >> 16) end
      numbers
    end

actor Sorter
  """
  Splits in two halves, the first the longer if they differ, or sorts.

  A sorter knows only its maker, so nothing holds on to one that has ended.
  """
  let _place: U32
  let _maker: (Sorter | None)
  let _leaf: U32
  let _seed: U32
  embed _self: Self
  var _salt: U32 = 0
  var _half: (Numbers | None) = None
  var _sorters: U32 = 1

  new create(
    place: U32,
    maker: (Sorter | None),
    leaf: U32,
    seed: U32,
    world: World)
  =>
    _place = place
    _maker = maker
    _leaf = leaf
    _seed = seed
    _self = Self(Names(Classes.sorter(), place), world)
    if maker is None then _self.ready() end

  be sort(
    sender: Name,
    first: U32,
    length: U32,
    salt: U32,
    sent: Numbers)
  =>
    _salt = salt
    _self.took(
      sender,
      Kinds.sorter_sort(),
      first.u64(),
      length.u64(),
      salt.u64(),
      _logged_checksum(sent))
    let numbers =
      if _maker is None then Integers(salt, _seed, length.usize()) else sent end
    if numbers.size() <= _leaf.usize() then
      _report(_sort(numbers))
      // Having made nobody, it is let go by its maker.
      _self.terminate()
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
    place: U32,
    first: U32,
    numbers: Numbers,
    from: USize,
    to: USize)
  =>
    Sorter(place, this, _leaf, _seed, _self.world())
      .sort(
        _self.name,
        first,
        (to - from).u32(),
        _salt,
        recover numbers.slice(from, to) end)

  be sorted(sender: Name, sorters: U32, numbers: Numbers) =>
    _self.took(
      sender,
      Kinds.sorter_sorted(),
      numbers.size().u64(),
      sorters.u64(),
      _logged_checksum(numbers))
    _sorters = _sorters + sorters
    match (_half = None)
    | let half: Numbers =>
      _report(_merge(half, numbers))
      _self.let_go()
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

  fun ref _logged_checksum(numbers: Numbers): U64 =>
    """
    Work that only a log asks for (SORT-2).
    """
    if _self.logs() then _checksum(numbers) else 0 end

  fun _checksum(numbers: Numbers): U64 =>
    Checksum[U32](_salt, numbers).u64()

  fun _report(numbers: Numbers) =>
    match _maker
    | let sorter: Sorter =>
      sorter.sorted(_self.name, _sorters, numbers)
    | None =>
      let at = Stopwatch.stop()
      _self.control.done(
        at, [numbers.size().u64(); _sorters.u64(); _checksum(numbers)])
    end

  fun _final() =>
    _self.leave()
