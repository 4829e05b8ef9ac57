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
