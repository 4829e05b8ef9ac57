primitive _Benchmarks
  """
  Every benchmark, and parameters of a small world of it.
  """
  fun names(): Array[String] val =>
    ["pingpong"]

  fun parameters(name: String): String =>
    match name
    | "pingpong" => "{\"rounds\":9}"
    else "{}"
    end
