package dramaturg.control

import akka.actor.typed.ActorRef
import dramaturg.Digest
import dramaturg.v2.ControlOuterClass.ActRequest

/** What control may have to say to a lead actor. */
sealed trait Call

object Call {
  case object Prepare extends Call
  final case class Act(request: ActRequest) extends Call
  case object Turn extends Call
  final case class Run(salt: Digest) extends Call
  case object Disconnect extends Call
}

/** What actors tell control; `ended` is when that was, by the [[Stopwatch]]. ChatApp has its own. */
trait Report

object Report {

  /** A turn is confirmed or a window has ended: what marks count (CTRL-6). */
  trait Step extends Report

  final case class Window(number: Int, count: Long, ended: Long) extends Step
  final case class Done(arguments: Seq[Long], ended: Long) extends Report

  // Not of the specification: who are there at first are there, and what ends a call (CTRL-10).
  final case class Populated(lead: Lead) extends Report
  final case class Failed(reason: String) extends Report
}

/** The actor with which control speaks. */
trait Lead {

  /** Passes a call on; returns how many reports complete it (ACT-7). None if the benchmark has
    * nothing to say upon it.
    */
  def tell(call: Call): Int
}

object Lead {
  def apply[M](lead: ActorRef[M])(translate: PartialFunction[Call, (M, Int)]): Lead =
    translate.lift(_).fold(0) { case (message, reports) =>
      lead ! message
      reports
    }
}
