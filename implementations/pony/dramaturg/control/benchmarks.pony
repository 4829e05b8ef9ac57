use "../arithmetic"
use "../chatapp"
use "../json"
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

  fun answer(question: String, given: JsonObject): Array[U64] =>
    """
    To a probe of what actors do in a run (LEVEL-1).
    """
    match question
    | "payloads" =>
      let size = given.number("size")
      [ Tasks.results(given.number("salt"), given.number("tasks"), size).u64() ]
    | "latencies" =>
      let due = try given("due") as U64 else 0 end
      let latency = Histogram
      for answered in given.numbers[U64]("answered").values() do
        latency.count(due, answered)
      end
      latency.counts
    else []
    end
