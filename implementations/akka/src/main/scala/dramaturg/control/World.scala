package dramaturg.control

import akka.actor.typed.ActorRef

import java.util.concurrent.LinkedBlockingQueue

/** What the actors of one iteration have in common: who of them is watched, and where they tell
  * control what it wants to know. `head` is the guardian of node 0, if that is another.
  */
final class World(val watches: Watches, head: Option[ActorRef[Guardian.Message]]) {
  private val reports = new LinkedBlockingQueue[Report]

  def tell(report: Report): Unit = reports.put(report)

  /** That an actor is about to end because it failed: known here and where the run is under way. */
  def failed(name: Long, reason: Throwable): Unit = {
    tell(Report.Failed(name, reason.toString))
    head.foreach(_ ! Guardian.Failed(name))
  }

  /** For control: the next report. Throws [[Failure]] if it is of one. */
  def next(): Report = reports.take() match {
    case Report.Failed(name, reason) => throw new Failure(s"${Names.spell(name)} failed: $reason")
    case Report.Lost(node)           => throw new Failure(s"$node was lost")
    case report                      => report
  }
}

/** An actor has failed or a node is gone, and the call under way with it (CTRL-10, DIST-5). */
final class Failure(reason: String) extends Exception(reason)
