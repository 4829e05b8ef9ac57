use "../json"
use "../micro"
use "../world"

primitive Benchmarks
  """
  Brings those to life who are there at first, and knows who leads them.
  """
  fun apply(name: String, parameters: Parameters, world: World): Lead ? =>
    match name
    | "pingpong" => PingPong(parameters, world)
    else error
    end

  fun answer(question: String, given: JsonObject): Array[U64] =>
    """
    To a probe of what actors do in a run (LEVEL-1). Broker and the open load
    have one each.
    """
    []
