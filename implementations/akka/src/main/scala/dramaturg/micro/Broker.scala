package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Benchmarks.{BrokerParameters, BrokerReceipt, Receipt}
import dramaturg.v1.Trace.MessageKind._
import dramaturg._

/** Broker: employees ask an employer for work through a router (spec/broker.md).
  *
  * A payload is an array that is made for one task, handed over as it is, and written by nobody
  * after that.
  */
final case class Broker(p: Broker.Parameters) extends Piece {
  import Broker._

  override def cast(company: Company): Cue =
    Cue(new Cast(p, company).employer, Employer.Start(Names.Control))

  override def fill(receipt: Receipt.Builder, said: Reports): Unit = {
    val counts =
      BrokerReceipt.newBuilder.setResults(said.done.first).setChecksumSum(said.done.second)
    receipt.setBroker(counts): Unit
  }
}

object Broker {

  /** Employees, tasks in all, and bytes of a task's payload. */
  final case class Parameters(employees: Int, tasks: Long, size: Int)

  def apply(p: BrokerParameters): Broker =
    Broker(
      Parameters(
        Checks.ranged("employees", p.getEmployees, 1, 128).toInt,
        Checks.ranged("tasks", p.getTasks, 1, Checks.AnyInt),
        Checks.ranged("size", p.getSize, 4, 65536).toInt
      )
    )

  final class Cast(val p: Parameters, company: Company) {
    val scene: Scene = company.scene
    val employer: ActorRef[Employer.Message] =
      company.one[Employer.Message](Names.Employer)(new Employer(this, _))
    val router: ActorRef[Router.Message] =
      company.one[Router.Message](Names.Router)(new Router(this, _))
    val employees: IndexedSeq[ActorRef[Employee.Message]] =
      company.all[Employee.Message](p.employees, Names.employee)(new Employee(_, this, _))
  }

  /** Answers each request with a task, as long as there are any. */
  final class Employer(cast: Cast, context: ActorContext[Employer.Message])
      extends Role[Employer.Message](Names.Employer, cast.scene, context) {
    import cast.p

    private var handedOut = 0L
    private var results = 0L
    private var checksumSum = 0L
    private var employed = p.employees

    override protected def take(message: Employer.Message): Behavior[Employer.Message] =
      message match {
        case _: Employer.Start   => start()
        case m: Employer.Request => request(m)
      }

    private def start(): Behavior[Employer.Message] = {
      val go = Employee.Go(name)
      cast.employees.foreach(_ ! go)
      this
    }

    private def request(m: Employer.Request): Behavior[Employer.Message] = {
      if (m.result > 0) {
        results += 1
        checksumSum += m.checksum
      }
      if (handedOut < p.tasks) {
        cast.router ! Router.Task(name, m.employee, handedOut, payload(handedOut))
        handedOut += 1
        this
      } else {
        cast.router ! Router.Dismiss(name, m.employee)
        employed -= 1
        if (employed == 0) done(results, checksumSum) else this
      }
    }

    private def payload(number: Long): Array[Byte] = {
      val payload = new Array[Byte](p.size)
      val first = number.toInt
      var i = 0
      while (i < payload.length) {
        payload(i) = (first + i).toByte
        i += 1
      }
      payload
    }
  }

  object Employer {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_EMPLOYER_START)
    }

    final case class Request(sender: Long, employee: Int, result: Long, checksum: Long)
        extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_EMPLOYER_REQUEST, employee, result, checksum)
    }
  }

  /** Passes everything on. */
  final class Router(cast: Cast, context: ActorContext[Router.Message])
      extends Role[Router.Message](Names.Router, cast.scene, context) {
    private var employed = cast.p.employees

    override protected def take(message: Router.Message): Behavior[Router.Message] = message match {
      case m: Router.Request => request(m)
      case m: Router.Task    => task(m)
      case m: Router.Dismiss => dismiss(m)
    }

    private def request(m: Router.Request): Behavior[Router.Message] = {
      cast.employer ! Employer.Request(name, Names.indexOf(m.sender), m.result, m.checksum)
      this
    }

    private def task(m: Router.Task): Behavior[Router.Message] = {
      cast.employees(m.employee) ! Employee.Task(name, m.number, m.payload)
      this
    }

    private def dismiss(m: Router.Dismiss): Behavior[Router.Message] = {
      cast.employees(m.employee) ! Employee.Dismiss(name)
      employed -= 1
      if (employed == 0) Behaviors.stopped else this
    }
  }

  object Router {
    sealed trait Message extends dramaturg.Message

    final case class Request(sender: Long, result: Long, checksum: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ROUTER_REQUEST, result, checksum)
    }

    final case class Task(sender: Long, employee: Int, number: Long, payload: Array[Byte])
        extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ROUTER_TASK, employee, number, payload.length)
    }

    final case class Dismiss(sender: Long, employee: Int) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ROUTER_DISMISS, employee)
    }
  }

  /** Reads every byte of each payload, and asks for the next. */
  final class Employee(index: Int, cast: Cast, context: ActorContext[Employee.Message])
      extends Role[Employee.Message](Names.employee(index), cast.scene, context) {
    override protected def take(message: Employee.Message): Behavior[Employee.Message] =
      message match {
        case _: Employee.Go      => request(0, 0)
        case m: Employee.Task    => request(m.number + 1, Checksum(m.payload))
        case _: Employee.Dismiss => Behaviors.stopped
      }

    private def request(result: Long, checksum: Long): Behavior[Employee.Message] = {
      cast.router ! Router.Request(name, result, checksum)
      this
    }
  }

  object Employee {
    sealed trait Message extends dramaturg.Message

    final case class Go(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_EMPLOYEE_GO)
    }

    final case class Task(sender: Long, number: Long, payload: Array[Byte]) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_EMPLOYEE_TASK, number, payload.length)
    }

    final case class Dismiss(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_EMPLOYEE_DISMISS)
    }
  }
}
