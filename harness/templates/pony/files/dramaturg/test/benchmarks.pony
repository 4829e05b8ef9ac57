use "pony_test"

primitive _Benchmarks
  """
  Every benchmark, and parameters of a small world of it.
  """
  fun tests(test: PonyTest) =>
    """
    What else is tested of them.
    """
    None

  fun names(): Array[String] val =>
    ["pingpong"]

  fun parameters(name: String): String =>
    match name
    | "pingpong" => "{\"rounds\":9}"
    else "{}"
    end
