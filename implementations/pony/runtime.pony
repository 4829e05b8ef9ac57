use "runtime_info"

class val Runtime
  """
  What this process says of itself.
  """
  let root: AmbientAuth
  let _variables: Array[String] val

  new val create(env: Env) =>
    root = env.root
    _variables = env.vars

  fun description(answers: String): String =>
    """
    A `DescribeResponse` with these answers to its probes.
    """
    let schedulers = Scheduler.schedulers(SchedulerInfoAuth(root))
    "{\"name\":\"pony\",\"runtime\":\"Pony\",\"runtime_version\":"
      + Quoted(_variable("PONY_RUNTIME_VERSION"))
      + ",\"benchmarks\":[\"" + "\",\"".join(Benchmarks().values()) + "\"]"
      + ",\"schedulers\":" + schedulers.string()
      + ",\"details\":{\"build\":" + Quoted(_build())
      + ",\"flags\":" + Quoted(_variable("PONY_FLAGS")) + "}"
      + ",\"spec_version\":\"1\",\"answers\":[" + answers + "]}"

  fun _build(): String =>
    ifdef debug then "debug" else "release" end

  fun _variable(name: String): String =>
    let prefix: String = name + "="
    for variable in _variables.values() do
      if variable.at(prefix) then
        return variable.substring(prefix.size().isize())
      end
    end
    "unknown"
