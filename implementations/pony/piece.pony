trait val Piece
  """
  A micro-benchmark and its parameters: what the control port knows of it.
  """
  fun name(): String
    """
    What it is called in requests and receipts.
    """

  fun receipt(done: Done): Array[(String, U64)]
    """
    What the receipt calls the arguments of the lead's last report.
    """

  fun refusal(): (Refusal | None)
    """
    Which parameter is out of range.
    """

  fun val cast(stage: MicroStage, world: World): Opening
    """
    Bring those to life who are there at first.
    """

trait tag Lead
  """
  The actor to whom control speaks.
  """
  be abandon()
    """
    Drop everybody. Others hold on to nobody but the lead, or hear of it from
    the lead.
    """

// How many will say that they are ready, whom control speaks to, and its line.
type Opening is (U64, Lead, {()} val)

primitive Pieces
  """
  All micro-benchmarks.
  """
  fun names(): Array[String] val =>
    [ "pingpong"; "big"; "bang"; "web"; "count"; "chain"; "fanout"; "sleepers"
      "mergesort"; "broker" ]

  fun apply(name: String, parameters: JsonObject): (Piece | None) =>
    match name
    | "pingpong" => PingPong(parameters)
    | "big" => Big(parameters)
    | "bang" => Bang(parameters)
    | "web" => Web(parameters)
    | "count" => Count(parameters)
    | "chain" => Chain(parameters)
    | "fanout" => Fanout(parameters)
    | "sleepers" => Sleepers(parameters)
    | "mergesort" => Mergesort(parameters)
    | "broker" => Broker(parameters)
    end

primitive Benchmarks
  """
  The names of all that can be prepared.
  """
  fun apply(): Array[String] =>
    ["chatapp"] .> append(Pieces.names())
