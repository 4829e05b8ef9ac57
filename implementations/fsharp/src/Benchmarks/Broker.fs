/// Broker (spec/broker.md): work with a payload, through a router.
module Dramaturg.Benchmarks.Broker

open System.Diagnostics
open Dramaturg.Benchmarks.Fold
open Dramaturg.Runtime
open Dramaturg.Runtime.Table

let private employerName = Name.ofFirst Class.Employer 0u
let private routerName = Name.ofFirst Class.Router 0u

type EmployerMessage =
    | Start of salt: uint32
    | Request of employee: uint32 * result: uint64 * checksum: uint32
    | Disconnect

    interface IMessage with
        member this.Describe events =
            match this with
            | Start salt -> events.Add(Kind.EmployerStart, uint64 salt)
            | Request (employee, result, checksum) ->
                events.Add(Kind.EmployerRequest, uint64 employee, result, uint64 checksum)
            | Disconnect -> events.Add Kind.EmployerDisconnect

/// What a task carries. The log has its checksum, which is not sent: who logs makes it (BROKER-5).
[<Sealed>]
type Payload(bytes: byte []) =
    /// That of a task, byte by byte (BROKER-3).
    new(salt, number, size: uint32) =
        Payload(stream (fold salt number) (int size) (fun drawn -> byte (drawn >>> 24)))

    member _.Size = uint32 bytes.Length

    member _.Checksum = checksumOfBytes 0u bytes

    /// What is found by who reads it (BROKER-3).
    member this.Result number = fold this.Checksum number

/// The results of so many tasks, each payload made and read (`Probe.payloads`).
let sumOfResults salt tasks size =
    let mutable sum = 0u
    let mutable number = 0u

    while number < tasks do
        sum <- sum + Payload(salt, number, size).Result number
        number <- number + 1u

    sum

/// Who has sent a payload has it no more.
type RouterMessage =
    | Request of result: uint64 * checksum: uint32
    | Task of employee: uint32 * number: uint32 * payload: Payload
    | Dismiss of employee: uint32

    interface IMessage with
        member this.Describe events =
            match this with
            | Request (result, checksum) -> events.Add(Kind.RouterRequest, result, uint64 checksum)
            | Task (employee, number, payload) ->
                let size, checksum = uint64 payload.Size, uint64 payload.Checksum
                events.Add(Kind.RouterTask, uint64 employee, uint64 number, size, checksum)
            | Dismiss employee -> events.Add(Kind.RouterDismiss, uint64 employee)

type EmployeeMessage =
    | Go
    | Task of number: uint32 * payload: Payload
    | Dismiss

    interface IMessage with
        member this.Describe events =
            match this with
            | Go -> events.Add Kind.EmployeeGo
            | Task (number, payload) ->
                events.Add(Kind.EmployeeTask, uint64 number, uint64 payload.Size, uint64 payload.Checksum)
            | Dismiss -> events.Add Kind.EmployeeDismiss

type private Employer
    (
        world: World,
        router: Address<RouterMessage>,
        employees: Address<EmployeeMessage> [],
        tasks: uint32,
        size: uint32
    ) =
    inherit Actor<EmployerMessage>()

    let mutable salt = 0u
    let mutable given = 0u
    let mutable waiting = 0
    let mutable results = 0UL
    let mutable sum = 0u

    let give employee =
        let number = given
        router.Send(employerName, RouterMessage.Task(employee, number, Payload(salt, number, size)))
        given <- given + 1u

    let request employee result checksum =
        if result > 0UL then
            results <- results + 1UL
            sum <- sum + checksum

        if given < tasks then
            give employee
        else
            waiting <- waiting + 1

            if waiting = employees.Length then
                world.Report(Done([ results; uint64 sum ], Stopwatch.GetTimestamp()))

    override _.Take(_, message) =
        match message with
        | Start said ->
            salt <- said

            for employee in employees do
                employee.Send(employerName, Go)

            Lives
        | EmployerMessage.Request (employee, result, checksum) ->
            request employee result checksum
            Lives
        | Disconnect ->
            for employee in 0 .. employees.Length - 1 do
                router.Send(employerName, RouterMessage.Dismiss(uint32 employee))

            Ends

type private Router(employer: Address<EmployerMessage>, employees: Address<EmployeeMessage> []) =
    inherit Actor<RouterMessage>()

    let mutable dismissed = 0

    override _.Take(from, message) =
        match message with
        | Request (result, checksum) ->
            employer.Send(routerName, EmployerMessage.Request(Name.first from, result, checksum))
            Lives
        | RouterMessage.Task (employee, number, payload) ->
            employees.[int employee].Send(routerName, Task(number, payload))
            Lives
        | RouterMessage.Dismiss employee ->
            employees.[int employee].Send(routerName, Dismiss)
            dismissed <- dismissed + 1
            if dismissed = employees.Length then Ends else Lives

type private Employee(name: Name, router: Address<RouterMessage>) =
    inherit Actor<EmployeeMessage>()

    let request result checksum =
        router.Send(name, Request(result, checksum))
        Lives

    override _.Take(_, message) =
        match message with
        | Go -> request 0UL 0u
        | Task (number, payload) -> request (uint64 number + 1UL) (payload.Result number)
        | Dismiss -> Ends

let populate (world: World) (parameter: Parameters) =
    let employer = world.Mailbox<EmployerMessage>()
    let router = world.Mailbox<RouterMessage>()

    let employees =
        Array.init (int (parameter "employees")) (fun index ->
            let name = Name.ofFirst Class.Employee (uint32 index)
            let employee = world.Mailbox<EmployeeMessage>()
            world.Spawn(name, employee, fun () -> Employee(name, router))
            employee :> Address<EmployeeMessage>)

    world.Spawn(routerName, router, fun () -> Router(employer, employees))

    world.Spawn(
        employerName,
        employer,
        fun () -> Employer(world, router, employees, parameter "tasks", parameter "size")
    )

    { Benchmark.ending (Start >> employer.Tell) with
        Disconnect = fun () -> employer.Tell Disconnect }
