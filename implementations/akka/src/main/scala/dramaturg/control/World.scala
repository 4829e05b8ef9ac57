package dramaturg.control

import akka.actor.typed.ActorRef
import dramaturg.Names
import dramaturg.nodes.Neighbour

import java.util.concurrent.LinkedBlockingQueue

/** What the actors of one iteration have in common: who of them is watched, and where they tell
  * control what it wants to know. `head` hears for node 0 what happens on another.
  */
final class World(val watches: Watches, head: Option[ActorRef[Neighbour.Message]]) {
  private val reports = new LinkedBlockingQueue[Report]

  def tell(report: Report): Unit = reports.put(report)

  /** That an actor is about to end because of that: known here and where the run is under way. */
  def failed(name: Long, reason: String): Unit = {
    tell(Report.Failed(s"${Names.spell(name)} failed: $reason"))
    head.foreach(_ ! Neighbour.Failed(name, reason))
  }

  /** For control: the next report. */
  def next(): Report = reports.take() match {
    case Report.Failed(reason) => throw new IllegalStateException(reason)
    case report                => report
  }

  /** For control, when all have ended: throws if somebody has failed of whom it has not heard. */
  def drain(): Unit = while (!reports.isEmpty) next()
}
