use "../chatapp"
use "../micro"
use "../world"

primitive Benchmarks
  """
  Brings those to life who are there at first, and knows who leads them.
  """
  fun apply(name: String, parameters: Parameters, world: World): Lead ? =>
    match name
    | "chatapp" => ChatApp(parameters, world)
    | "pingpong" => PingPong(parameters, world)
    | "big" => Big(parameters, world)
    | "bang" => Bang(parameters, world)
    | "web" => Web(parameters, world)
    | "count" => Count(parameters, world)
    | "chain" => Chain(parameters, world)
    | "fanout" => Fanout(parameters, world)
    | "sleepers" => Sleepers(parameters, world)
    | "mergesort" => Mergesort(parameters, world)
    | "broker" => Broker(parameters, world)
    | "openweb" => OpenWeb(parameters, world)
    else error
    end
