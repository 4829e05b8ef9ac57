use "collections"
use "../actor"
use "../arithmetic"
use "../world"

// Broker (spec/broker.md): employees ask an employer for work through a router.
// A payload is handed over as a value that nobody can change any more.

type Payload is Array[U8] val

primitive Broker
  fun apply(parameters: Parameters, world: World): Lead =>
    let employees = parameters.number("employees")
    let employer =
      Employer(
        employees,
        parameters.number("tasks"),
        parameters.number("size"),
        world)
    object val is Lead
      fun births(): U64 => employees.u64() + 2
      fun run(salt: U32) => employer.start(Names.control(), salt)
      fun disconnect() => employer.disconnect(Names.control())
    end

primitive Tasks
  """
  What tasks are about, and what is found of them (BROKER-3).
  """
  fun payload(salt: U32, number: U32, size: U32): Payload =>
    recover
      let stream = Stream(Fold(salt, number))
      let bytes = Array[U8](size.usize())
      for _ in Range[U32](0, size) do bytes.push((stream.next() >> 24).u8()) end
      bytes
    end

  fun checksum(payload': Payload): U32 =>
    Checksum[U8](0, payload')

  fun logged_checksum(self: Self box, payload': Payload): U64 =>
    """
    Work that only a log asks for (BROKER-5).
    """
    if self.logs() then checksum(payload').u64() else 0 end

  fun result(number: U32, payload': Payload): U32 =>
    Fold(checksum(payload'), number)

  fun results(salt: U32, tasks: U32, size: U32): U32 =>
    """
    The sum of those of the first tasks, made and read as in a run.
    """
    var sum: U32 = 0
    for number in Range[U32](0, tasks) do
      sum = sum + result(number, payload(salt, number, size))
    end
    sum

actor Employer
  """
  Answers each request with a task, as long as there are any.
  """
  let _tasks: U32
  let _size: U32
  embed _self: Self
  var _router: (Router | None) = None
  var _employees: Array[Employee] val
  var _salt: U32 = 0
  var _given: U32 = 0
  var _waiting: USize = 0
  var _results: U64 = 0
  var _sum: U32 = 0

  new create(employees: U32, tasks: U32, size: U32, world: World) =>
    _tasks = tasks
    _size = size
    _self = Self(Names(Classes.employer()), world)
    let router = Router(this, world)
    let everybody = recover iso Array[Employee](employees.usize()) end
    for index in Range[U32](0, employees) do
      everybody.push(Employee(index, router, world))
    end
    _employees = consume everybody
    _router = router
    router.meet(_employees)
    _self.ready()

  be start(sender: Name, salt: U32) =>
    _self.took(sender, Kinds.employer_start(), salt.u64())
    _salt = salt
    for employee in _employees.values() do
      employee.go(_self.name)
    end

  be request(sender: Name, employee: U32, result: U32, checksum: U32) =>
    _self.took(
      sender,
      Kinds.employer_request(),
      employee.u64(),
      result.u64(),
      checksum.u64())
    if result > 0 then
      _results = _results + 1
      _sum = _sum + checksum
    end
    match _router
    | let router: Router if _given < _tasks =>
      router.task(
        _self.name, employee, _given, Tasks.payload(_salt, _given, _size))
      _given = _given + 1
    else
      _waiting = _waiting + 1
      if _waiting == _employees.size() then
        _self.control.done(Stopwatch.stop(), [_results; _sum.u64()])
      end
    end

  be disconnect(sender: Name) =>
    _self.took(sender, Kinds.employer_disconnect())
    match (_router = None)
    | let router: Router =>
      for employee in Range[U32](0, _employees.size().u32()) do
        router.dismiss(_self.name, employee)
      end
    end
    _employees = []
    _self.let_go()

  fun _final() =>
    _self.leave()

actor Router
  """
  Passes everything on.
  """
  let _employer: Employer
  embed _self: Self
  var _employees: Array[Employee] val = []
  var _dismissed: USize = 0

  new create(employer: Employer, world: World) =>
    _employer = employer
    _self = Self(Names(Classes.router()), world)

  be meet(employees: Array[Employee] val) =>
    _employees = employees
    _self.ready()

  be request(sender: Name, result: U32, checksum: U32) =>
    _self.took(sender, Kinds.router_request(), result.u64(), checksum.u64())
    _employer.request(_self.name, Names.index_of(sender), result, checksum)

  be task(sender: Name, employee: U32, number: U32, payload: Payload) =>
    _self.took(
      sender,
      Kinds.router_task(),
      employee.u64(),
      number.u64(),
      payload.size().u64(),
      Tasks.logged_checksum(_self, payload))
    try
      _employees(employee.usize())?.task(_self.name, number, payload)
    else
      _self.unknown(Names(Classes.employee(), employee))
    end

  be dismiss(sender: Name, employee: U32) =>
    _self.took(sender, Kinds.router_dismiss(), employee.u64())
    try
      _employees(employee.usize())?.dismiss(_self.name)
    else
      _self.unknown(Names(Classes.employee(), employee))
    end
    _dismissed = _dismissed + 1
    if _dismissed == _employees.size() then
      _employees = []
      _self.let_go()
    end

  fun _final() =>
    _self.leave()

actor Employee
  """
  Reads every byte of each payload, and asks for the next.
  """
  let _router: Router
  embed _self: Self

  new create(index: U32, router: Router, world: World) =>
    _router = router
    _self = Self(Names(Classes.employee(), index), world)
    _self.ready()

  be go(sender: Name) =>
    _self.took(sender, Kinds.employee_go())
    _router.request(_self.name, 0, 0)

  be task(sender: Name, number: U32, payload: Payload) =>
    _self.took(
      sender,
      Kinds.employee_task(),
      number.u64(),
      payload.size().u64(),
      Tasks.logged_checksum(_self, payload))
    _router.request(_self.name, number + 1, Tasks.result(number, payload))

  be dismiss(sender: Name) =>
    _self.took(sender, Kinds.employee_dismiss())
    _self.terminate()

  fun _final() =>
    _self.leave()
