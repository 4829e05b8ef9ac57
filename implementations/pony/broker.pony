use "collections"
use "time"

// Broker (spec/broker.md): employees ask an employer for work through a router.
// A payload is handed over as a value that nobody can change any more.

type Payload is Array[U8] val

class val Broker is Piece
  """
  Employees, tasks in all, and bytes of a task's payload.
  """
  let employees: U64
  let tasks: U64
  let size: U64
  let _refusal: (Refusal | None)

  new val create(request: JsonObject) =>
    let fields = Fields(request)
    employees = fields.number("employees", 1, 128)
    tasks = fields.times("tasks")
    size = fields.number("size", 4, 65536)
    _refusal = fields.refusal

  fun name(): String => "broker"

  fun refusal(): (Refusal | None) => _refusal

  fun receipt(done: Done): Array[(String, U64)] =>
    [("results", done._1); ("checksum_sum", done._2)]

  fun val cast(stage: MicroStage, world: World): Opening =>
    let employer = Employer(this, stage, world)
    (employees + 2, employer, {() => employer.start(Names.control()) })

actor Employer is Lead
  """
  Answers each request with a task, as long as there are any.
  """
  let _piece: Broker
  let _stage: MicroStage
  embed _role: Role
  var _router: (Router | None) = None
  var _employees: Array[Employee] val = []
  var _given: U32 = 0
  var _results: U64 = 0
  var _checksum_sum: U64 = 0
  var _employed: U64

  new create(piece: Broker, stage: MicroStage, world: World) =>
    _piece = piece
    _stage = stage
    _role = Role(Names.employer(), world)
    _employed = piece.employees
    let router = Router(this, piece.employees, world)
    let employees: Array[Employee] iso = recover Array[Employee] end
    for index in Range[U64](0, piece.employees) do
      employees.push(Employee(index, router, world))
    end
    _employees = consume employees
    _router = router
    router.meet(_employees)
    _role.ready()

  be start(sender: Name) =>
    _role.log(sender, EmployerTakes.start())
    _stage.started(Time.nanos())
    for employee in _employees.values() do
      employee.go(_role.name)
    end

  be request(sender: Name, employee: U32, result: U32, checksum: U32) =>
    _role.log(
      sender,
      EmployerTakes.request(),
      employee.u64(),
      result.u64(),
      checksum.u64())
    if result > 0 then
      _results = _results + 1
      _checksum_sum = _checksum_sum + checksum.u64()
    end
    match _router
    | let router: Router if _given.u64() < _piece.tasks =>
      router.task(_role.name, employee, _given, _payload(_given))
      _given = _given + 1
    | let router: Router =>
      router.dismiss(_role.name, employee)
      _employed = _employed - 1
      if _employed == 0 then
        _stage.done(Time.nanos(), _results, _checksum_sum)
        _terminate()
      end
    end

  fun _payload(number: U32): Payload =>
    let size = _piece.size.usize()
    recover
      let payload = Array[U8](size)
      var byte = number.u8()
      for _ in Range(0, size) do
        payload.push(byte)
        byte = byte + 1
      end
      payload
    end

  be abandon() =>
    match _router
    | let router: Router => router.abandon()
    end
    _terminate()

  fun ref _terminate() =>
    _router = None
    _employees = []
    _role.let_go()

  fun _final() =>
    _role.leave()

actor Router
  """
  Passes everything on.
  """
  let _employer: Employer
  embed _role: Role
  var _employees: Array[Employee] val = []
  var _employed: U64

  new create(employer: Employer, employees: U64, world: World) =>
    _employer = employer
    _role = Role(Names.router(), world)
    _employed = employees

  be meet(employees: Array[Employee] val) =>
    _employees = employees
    _role.ready()

  be request(sender: Name, result: U32, checksum: U32) =>
    _role.log(sender, RouterTakes.request(), result.u64(), checksum.u64())
    _employer.request(
      _role.name, Names.index_of(sender).u32(), result, checksum)

  be task(sender: Name, employee: U32, number: U32, payload: Payload) =>
    _role.log(
      sender,
      RouterTakes.task(),
      employee.u64(),
      number.u64(),
      payload.size().u64())
    try
      _employees(employee.usize())?.task(_role.name, number, payload)
    else
      _role.unknown(Names.employee(employee.u64()))
    end

  be dismiss(sender: Name, employee: U32) =>
    _role.log(sender, RouterTakes.dismiss(), employee.u64())
    try
      _employees(employee.usize())?.dismiss(_role.name)
    else
      _role.unknown(Names.employee(employee.u64()))
    end
    _employed = _employed - 1
    if _employed == 0 then _terminate() end

  be abandon() =>
    _terminate()

  fun ref _terminate() =>
    _employees = []
    _role.let_go()

  fun _final() =>
    _role.leave()

actor Employee
  """
  Reads every byte of each payload, and asks for the next.
  """
  let _router: Router
  embed _role: Role

  new create(index: U64, router: Router, world: World) =>
    _router = router
    _role = Role(Names.employee(index), world)
    _role.ready()

  be go(sender: Name) =>
    _role.log(sender, EmployeeTakes.go())
    _router.request(_role.name, 0, 0)

  be task(sender: Name, number: U32, payload: Payload) =>
    _role.log(
      sender, EmployeeTakes.task(), number.u64(), payload.size().u64())
    _router.request(_role.name, number + 1, Checksum[U8](payload))

  be dismiss(sender: Name) =>
    _role.log(sender, EmployeeTakes.dismiss())
    _role.terminate()

  fun _final() =>
    _role.leave()
