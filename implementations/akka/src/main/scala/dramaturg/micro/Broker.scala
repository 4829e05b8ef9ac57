package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.{Births, OnTheWire}
import dramaturg.v2.Benchmarks.BrokerParameters
import dramaturg.v2.ControlOuterClass.Probe
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Laden, Names, Stream}

import java.lang.Integer.toUnsignedLong

/** Broker: employees ask an employer for work through a router (spec/broker.md).
  *
  * A payload is an array that is made for one task, handed over as it is, and written by nobody
  * after that. The salt, from which it is made, is the employer's alone.
  */
final class Broker(p: BrokerParameters) extends Micro("broker") {
  import Broker._

  /** Of each employee of a node its request, or what it is told. */
  override def underWay(nodes: Int): Long = 4L * (p.getEmployees / (nodes - 1) + 1)

  override def longest: Long = p.getSize.toLong

  override def populate(births: Births): Lead =
    Lead(new Actors(p, births).employer) {
      case Call.Run(salt)  => Employer.Start(Names.Control, salt) -> 1
      case Call.Disconnect => Employer.Disconnect(Names.Control) -> 0
    }
}

object Broker {

  /** The bytes of a task, each of which depends on those before it (BROKER-3). */
  def payload(salt: Digest, number: Long, size: Int): Array[Byte] = {
    val stream = new Stream(salt.fold(number))
    val payload = new Array[Byte](size)
    var i = 0
    while (i < payload.length) {
      payload(i) = (stream.next() >>> 24).toByte
      i += 1
    }
    payload
  }

  /** What an employee finds who has read every byte. */
  def result(number: Long, payload: Array[Byte]): Digest =
    Digest.checksum(Digest.Zero, payload).fold(number)

  /** The sum of the results of the first tasks, each made and read. */
  def answer(probe: Probe.Payloads): Seq[Long] = {
    val salt = new Digest(probe.getSalt)
    val results = (0L until probe.getTasks.toLong).iterator.map { number =>
      result(number, payload(salt, number, probe.getSize))
    }
    Seq(results.foldLeft(Digest.Zero)(_ + _).toLong)
  }

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
      births.all[Employee.Message](
        p.getEmployees,
        ACTOR_CLASS_EMPLOYEE_VALUE,
        births.place.roundTheRest
      )(new Employee(_, this, births.world, _))
  }

  /** Answers each request with a task, as long as there are any. */
  final class Employer(actors: Actors, world: World, context: ActorContext[Employer.Message])
      extends Actor[Employer.Message](Names(ACTOR_CLASS_EMPLOYER_VALUE), world, context) {
    import actors.p

    private val tasks = toUnsignedLong(p.getTasks)
    private var salt = Digest.Zero
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
      salt = m.salt
      val go = Employee.Go(name)
      actors.employees.foreach(_ ! go)
      this
    }

    private def request(m: Employer.Request): Behavior[Employer.Message] = {
      if (m.result > 0) {
        results += 1
        sum += m.checksum
      }
      if (handedOut < tasks) {
        val made = payload(salt, handedOut, p.getSize)
        actors.router ! Router.Task(name, m.employee, handedOut, made)
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
      def entry: Entry = Entry(
        MESSAGE_KIND_ROUTER_TASK_VALUE,
        employee,
        number,
        payload.length,
        Digest.checksum(Digest.Zero, payload).toLong
      )
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
    override protected def take(message: Employee.Message): Behavior[Employee.Message] =
      message match {
        case m: Employee.Task    => task(m)
        case _: Employee.Go      => request(0, Digest.Zero)
        case _: Employee.Dismiss => Behaviors.stopped
      }

    private def task(m: Employee.Task): Behavior[Employee.Message] =
      request(m.number + 1, result(m.number, m.payload))

    private def request(result: Long, checksum: Digest): Behavior[Employee.Message] = {
      actors.router ! Router.Request(name, result, checksum)
      this
    }
  }

  object Employee {
    sealed trait Message extends dramaturg.Message

    final case class Go(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_EMPLOYEE_GO_VALUE)
    }

    final case class Task(sender: Long, number: Long, payload: Array[Byte])
        extends Message
        with Laden {
      def sent: Entry = Entry(MESSAGE_KIND_EMPLOYEE_TASK_VALUE, number)
      def bytes: Array[Byte] = payload
      def entry: Entry = Entry(
        MESSAGE_KIND_EMPLOYEE_TASK_VALUE,
        number,
        payload.length,
        Digest.checksum(Digest.Zero, payload).toLong
      )
    }

    final case class Dismiss(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_EMPLOYEE_DISMISS_VALUE)
    }
  }
  val Decoders: Map[Int, OnTheWire.Decoder] = Map(
    (
      MESSAGE_KIND_ROUTER_REQUEST_VALUE,
      (sender, in) => Router.Request(sender, in.long(), in.digest())
    ),
    (MESSAGE_KIND_EMPLOYEE_GO_VALUE, (sender, _) => Employee.Go(sender)),
    (
      MESSAGE_KIND_EMPLOYEE_TASK_VALUE,
      (sender, in) => Employee.Task(sender, in.long(), in.bytes())
    ),
    (MESSAGE_KIND_EMPLOYEE_DISMISS_VALUE, (sender, _) => Employee.Dismiss(sender))
  )
}
