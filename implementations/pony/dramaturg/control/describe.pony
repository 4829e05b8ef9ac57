use "cli"
use "collections"
use "runtime_info"
use "../arithmetic"
use "../json"

primitive Describe
  """
  What this process says of itself, and its answers to questions of arithmetic.
  """
  fun apply(env: Env, probes: Array[JsonObject] val, answer: JsonLine) ? =>
    let variables = EnvVars(env.vars)
    let version = variables.get_or_else("PONY_RUNTIME_VERSION", "unknown")
    let schedulers = Scheduler.schedulers(SchedulerInfoAuth(env.root))
    answer .> open("reply")
      .> string("runtime", "Pony")
      .> string("runtime_version", version)
      .> number("schedulers", schedulers.u64())
      .> open("details")
      .> string("build", ifdef debug then "debug" else "release" end)
      .> string("flags", variables.get_or_else("PONY_FLAGS", "unknown"))
      .> close()
      .> open("answers", "[]")
    for probe in probes.values() do
      answer .> open("") .> numbers("values", _values(probe)?) .> close()
    end
    answer.send()

  fun _values(probe: JsonObject): Array[U64] ? =>
    (let question, let given) = probe.only()?
    let values = Array[U64]
    match question
    | "lcg" =>
      let lcg = Lcg(given.number("seed"))
      for limit in given.numbers("moduli").values() do
        values.push(lcg.next_int(limit).u64())
      end
    | "shuffle" =>
      let lcg = Lcg(given.number("seed"))
      values.concat(Range[U64](0, given.number("length").u64()))
      lcg.shuffle[U64](values)?
      values.push(lcg.state.u64())
    | "fibonacci" => values.push(Fibonacci(given.number("n")))
    | "fold" =>
      var digest = given.number("salt")
      for number in given.numbers("numbers").values() do
        digest = Fold(digest, number)
      end
      values.push(digest.u64())
    else
      return Benchmarks.answer(question, given)
    end
    values
