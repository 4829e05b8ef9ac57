package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.Births
import dramaturg.v2.Benchmarks.{BrokerParameters, BrokerReceipt, Receipt}
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Names}

import java.lang.Integer.toUnsignedLong

/** Broker: employees ask an employer for work through a router (spec/broker.md).
  *
  * A payload is an array that is made for one task, handed over as it is, and written by nobody
  * after that.
  */
final class Broker(p: BrokerParameters) extends Micro {
  import Broker._

  override def populate(births: Births): Lead =
    Lead(new Actors(p, births).employer) {
      case Call.Run(salt)  => Employer.Start(Names.Control, salt) -> 1
      case Call.Disconnect => Employer.Disconnect(Names.Control) -> 0
    }

  override protected def fill(
      receipt: Receipt.Builder,
      done: Report.Done,
      windows: Seq[Micro.Window]
  ): Unit =
    receipt.setBroker(BrokerReceipt.newBuilder.setResults(done.a).setSum(done.b)): Unit
}

object Broker {
  final class Actors(val p: BrokerParameters, births: Births) {
    val employer: ActorRef[Employer.Message] =
      births.one[Employer.Message](Names(ACTOR_CLASS_EMPLOYER_VALUE))(
        new Employer(this, births.world, _)
      )
    val router: ActorRef[Router.Message] =
      births.one[Router.Message](Names(ACTOR_CLASS_ROUTER_VALUE))(
        new Router(this, births.world, _)
      )
    val employees: IndexedSeq[ActorRef[Employee.Message]] =
      births.all[Employee.Message](p.getEmployees, ACTOR_CLASS_EMPLOYEE_VALUE)(
        new Employee(_, this, births.world, _)
      )
  }

  /** Answers each request with a task, as long as there are any. */
  final class Employer(actors: Actors, world: World, context: ActorContext[Employer.Message])
      extends Actor[Employer.Message](Names(ACTOR_CLASS_EMPLOYER_VALUE), world, context) {
    import actors.p

    private val tasks = toUnsignedLong(p.getTasks)
    private var handedOut = 0L
    private var results = 0L
    private var sum = Digest.Zero
    private var waiting = 0

    override protected def take(message: Employer.Message): Behavior[Employer.Message] =
      message match {
        case m: Employer.Request    => request(m)
        case m: Employer.Start      => start(m)
        case _: Employer.Disconnect => disconnect()
      }

    private def start(m: Employer.Start): Behavior[Employer.Message] = {
      val go = Employee.Go(name, m.salt)
      actors.employees.foreach(_ ! go)
      this
    }

    private def request(m: Employer.Request): Behavior[Employer.Message] = {
      if (m.result > 0) {
        results += 1
        sum += m.checksum
      }
      if (handedOut < tasks) {
        actors.router ! Router.Task(name, m.employee, handedOut, payload(handedOut))
        handedOut += 1
      } else {
        waiting += 1
        if (waiting == p.getEmployees) done(Stopwatch.stop())(results, sum.toLong)
      }
      this
    }

    private def disconnect(): Behavior[Employer.Message] = {
      for (employee <- 0 until p.getEmployees) actors.router ! Router.Dismiss(name, employee)
      Behaviors.stopped
    }

    private def payload(number: Long): Array[Byte] = {
      val payload = new Array[Byte](p.getSize)
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

    final case class Start(sender: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_EMPLOYER_START_VALUE, salt.toLong)
    }

    final case class Request(sender: Long, employee: Int, result: Long, checksum: Digest)
        extends Message {
      def entry: Entry =
        Entry(MESSAGE_KIND_EMPLOYER_REQUEST_VALUE, employee, result, checksum.toLong)
    }

    final case class Disconnect(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_EMPLOYER_DISCONNECT_VALUE)
    }
  }

  /** Passes everything on. */
  final class Router(actors: Actors, world: World, context: ActorContext[Router.Message])
      extends Actor[Router.Message](Names(ACTOR_CLASS_ROUTER_VALUE), world, context) {
    private var employed = actors.p.getEmployees

    override protected def take(message: Router.Message): Behavior[Router.Message] = message match {
      case m: Router.Request => request(m)
      case m: Router.Task    => task(m)
      case m: Router.Dismiss => dismiss(m)
    }

    private def request(m: Router.Request): Behavior[Router.Message] = {
      actors.employer ! Employer.Request(name, Names.indexOf(m.sender), m.result, m.checksum)
      this
    }

    private def task(m: Router.Task): Behavior[Router.Message] = {
      actors.employees(m.employee) ! Employee.Task(name, m.number, m.payload)
      this
    }

    private def dismiss(m: Router.Dismiss): Behavior[Router.Message] = {
      actors.employees(m.employee) ! Employee.Dismiss(name)
      employed -= 1
      if (employed == 0) Behaviors.stopped else this
    }
  }

  object Router {
    sealed trait Message extends dramaturg.Message

    final case class Request(sender: Long, result: Long, checksum: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ROUTER_REQUEST_VALUE, result, checksum.toLong)
    }

    final case class Task(sender: Long, employee: Int, number: Long, payload: Array[Byte])
        extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ROUTER_TASK_VALUE, employee, number, payload.length)
    }

    final case class Dismiss(sender: Long, employee: Int) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ROUTER_DISMISS_VALUE, employee)
    }
  }

  /** Reads every byte of each payload, and asks for the next. */
  final class Employee(
      index: Int,
      actors: Actors,
      world: World,
      context: ActorContext[Employee.Message]
  ) extends Actor[Employee.Message](Names(ACTOR_CLASS_EMPLOYEE_VALUE, index), world, context) {
    private var salt = Digest.Zero

    override protected def take(message: Employee.Message): Behavior[Employee.Message] =
      message match {
        case m: Employee.Task    => task(m)
        case m: Employee.Go      => go(m)
        case _: Employee.Dismiss => Behaviors.stopped
      }

    private def go(m: Employee.Go): Behavior[Employee.Message] = {
      salt = m.salt
      request(0, Digest.Zero)
    }

    private def task(m: Employee.Task): Behavior[Employee.Message] = {
      val checksum = Digest.checksum(salt.fold(m.number), m.payload)
      request(m.number + 1, checksum.fold(m.number))
    }

    private def request(result: Long, checksum: Digest): Behavior[Employee.Message] = {
      actors.router ! Router.Request(name, result, checksum)
      this
    }
  }

  object Employee {
    sealed trait Message extends dramaturg.Message

    final case class Go(sender: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_EMPLOYEE_GO_VALUE, salt.toLong)
    }

    final case class Task(sender: Long, number: Long, payload: Array[Byte]) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_EMPLOYEE_TASK_VALUE, number, payload.length)
    }

    final case class Dismiss(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_EMPLOYEE_DISMISS_VALUE)
    }
  }
}
