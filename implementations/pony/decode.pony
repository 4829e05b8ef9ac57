class Fields
  """
  Reads the fields of a request and keeps the first refusal.
  """
  let _request: JsonObject
  var refusal: (Refusal | None) = None

  new create(request: JsonObject) =>
    _request = request

  fun ref number(field: String, low: U64, high: U64): U64 =>
    """
    A number in low..high; one left out is 0, as protobuf has it.
    """
    let given: I64 =
      match _request(field)
      | let n: I64 => n
      | None => 0
      else -1
      end
    let value = given.u64()
    if (given < 0) or (value < low) or (value > high) then
      refuse(
        field + ": " + given.string() + " is not in "
          + low.string() + ".." + high.string())
    end
    value

  fun ref actors(field: String): U64 =>
    """
    How many actors, of which there is at least one.
    """
    number(field, 1, 1 << 20)

  fun ref times(field: String, least: U64 = 1): U64 =>
    """
    How often something is done.
    """
    number(field, least, U32.max_value().u64())

  fun ref windowed(): WindowedForm =>
    """
    Whether there are windows, and then of which length.
    """
    let windows = number("windows", 0, 86_400)
    let window =
      if windows > 0 then
        number("window", 1, 60_000)
      else
        number("window", 0, 0)
      end
    WindowedForm(windows, window)

  fun ref rounds(form: WindowedForm): U64 =>
    """
    Rounds are counted or there are windows.
    """
    if form.windows > 0 then number("rounds", 0, 0) else times("rounds") end

  fun ref flag(field: String): Bool =>
    match _request(field)
    | let yes: Bool => yes
    | None => false
    else
      refuse(field + ": must be true or false")
      false
    end

  fun ref refuse(message: String) =>
    if refusal is None then refusal = Refusal.invalid(message) end

primitive Decode
  """
  From JSON to what the benchmarks understand, or to the reason why not.
  """
  fun prepare(request: JsonObject)
    : (ChatAppParameters | Piece | Refusal)
  =>
    if request.array("peers").size() > 0 then
      return Refusal.unimplemented("peers: Pony runs on one node only")
    end
    ifdef "bare" then
      match request("trace")
      | true =>
        return Refusal.invalid(
          "trace: true, must be false: this build cannot trace")
      end
    end
    let fields = Fields(request)
    fields.number("node", 0, 0)
    match fields.refusal
    | let refusal: Refusal => return refusal
    end
    match request("benchmark")
    | let benchmark': JsonObject =>
      match benchmark'("chatapp")
      | let parameters: JsonObject => return _chatapp(parameters)
      end
      for name in Pieces.names().values() do
        match benchmark'(name)
        | let parameters: JsonObject => return _piece(name, parameters)
        end
      end
    end
    Refusal.invalid(
      "benchmark: unset or unknown; known: " + ", ".join(Benchmarks().values()))

  fun _chatapp(request: JsonObject): (ChatAppParameters | Refusal) =>
    let fields = Fields(request)
    let clients = fields.number("clients", 1, U32.max_value().u64())
    let parameters = ChatAppParameters(
      clients,
      fields.number("directories", 1, clients),
      fields.number("turns", 1, U32.max_value().u64()),
      fields.number("compute", 0, 100),
      fields.number("post", 0, 100),
      fields.number("leave", 0, 100),
      fields.number("invite", 0, 100),
      fields.number("befriend", 0, 100),
      match fields.number("selection", 1, 2)
      | 1 => Cumulative
      else Cascade
      end,
      fields.number("fib_n", 0, 47),
      fields.flag("history"),
      fields.number("seed", 0, 65535))
    match fields.refusal
    | let refusal: Refusal => refusal
    else parameters
    end

  fun _piece(name: String, request: JsonObject): (Piece | Refusal) =>
    match Pieces(name, request)
    | let piece: Piece =>
      match piece.refusal()
      | let refusal: Refusal => refusal
      else piece
      end
    else
      Refusal.internal(name + ": has a name and no piece")
    end

  fun act(request: JsonObject, clients: U64)
    : ((U64, Choice, U64, U64) | Refusal)
  =>
    """
    The client, its choice, the index and k.
    """
    let fields = Fields(request)
    let client = fields.number("client", 0, clients - 1)
    let choice = fields.number("choice", 0, 6)
    let index = fields.number("index", 0, U32.max_value().u64())
    let k = fields.number("k", 0, U32.max_value().u64())
    match fields.refusal
    | let refusal: Refusal => refusal
    else (client, Choices(choice), index, k)
    end

  fun probes(request: JsonObject): (String | Refusal) =>
    """
    The answers to questions of arithmetic, as a list without its brackets.
    """
    var answers = recover iso String end
    for probe in request.array("probes").values() do
      match _probe(probe)
      | let refusal: Refusal => return refusal
      | let values: Array[U64] =>
        if answers.size() > 0 then answers.push(',') end
        answers.append("{\"values\":")
        answers = Decimals.list[U64](consume answers, values)
        answers.push('}')
      end
    end
    consume answers

  fun _probe(request: Json): (Array[U64] | Refusal) =>
    match request
    | let probe': JsonObject =>
      match (probe'("lcg"), probe'("shuffle"), probe'("fibonacci"))
      | (let lcg: JsonObject, _, _) => return _draws(lcg)
      | (_, let shuffle: JsonObject, _) => return _shuffle(shuffle)
      | (_, _, let fibonacci: JsonObject) => return _fibonacci(fibonacci)
      end
    end
    Refusal.invalid("probes: unset or unknown; known: lcg, shuffle, fibonacci")

  fun _draws(request: JsonObject): (Array[U64] | Refusal) =>
    let fields = Fields(request)
    let lcg = Lcg(fields.number("seed", 0, 65535))
    let draws = Array[U64]
    for limit in request.array("moduli").values() do
      match limit
      | let limit': I64 if limit' >= 0 => draws.push(lcg.next_int(limit'.u64()))
      else fields.refuse("moduli: not all are numbers from 0 on")
      end
    end
    match fields.refusal
    | let refusal: Refusal => refusal
    else draws
    end

  fun _shuffle(request: JsonObject): (Array[U64] | Refusal) =>
    let fields = Fields(request)
    let lcg = Lcg(fields.number("seed", 0, 65535))
    let length = fields.number("length", 0, U32.max_value().u64())
    match fields.refusal
    | let refusal: Refusal => return refusal
    end
    let list = Array[U64](length.usize())
    while list.size() < length.usize() do
      list.push(list.size().u64())
    end
    try
      lcg.shuffle[U64](list)?
    else
      return Refusal.internal("shuffle left its list")
    end
    list .> push(lcg.state)

  fun _fibonacci(request: JsonObject): (Array[U64] | Refusal) =>
    let fields = Fields(request)
    let n = fields.number("n", 0, 47)
    match fields.refusal
    | let refusal: Refusal => refusal
    else [Fibonacci(n)]
    end
