use "pony_test"

primitive _Benchmarks
  """
  Every benchmark, and parameters of a small world of it.
  """
  fun tests(test: PonyTest) =>
    """
    What else is tested of them.
    """
    test(_TasksAreThoseOfTheVectors)
    test(_ProbesAskForTheFirstTasks)
    test(_LatenciesAreThoseOfTheVectors)

  fun names(): Array[String] val =>
    [ "chatapp"; "pingpong"; "big"; "bang"; "web"; "count"; "chain"; "fanout"
      "sleepers"; "mergesort"; "broker"; "openweb" ]

  fun parameters(name: String): String =>
    match name
    | "chatapp" =>
      """
      {"clients":8,"directories":2,"turns":4,"compute":20,"post":40,"leave":10,
      "invite":20,"befriend":50,"selection":1,"fib_n":5,"history":true,"seed":1}
      """
    | "pingpong" => "{\"rounds\":9}"
    | "big" => "{\"peers\":4,\"windows\":2,\"window\":5}"
    | "bang" => "{\"senders\":3,\"messages\":4}"
    | "web" => "{\"browsers\":3,\"workers\":2,\"requests\":4,\"fib_n\":5}"
    | "count" => "{\"adders\":3,\"adds\":5}"
    | "chain" => "{\"length\":20}"
    | "fanout" => "{\"runners\":3,\"tasks\":5,\"window\":2}"
    | "sleepers" => "{\"sleepers\":3,\"naps\":2,\"delay\":1}"
    | "mergesort" => "{\"length\":20,\"leaf\":1,\"seed\":1}"
    | "broker" => "{\"employees\":3,\"tasks\":7,\"size\":9}"
    | "openweb" =>
      "{\"servers\":2,\"requests\":9,\"gap\":100,\"seed\":1,\"fib_n\":5}"
    else "{}"
    end
