package dramaturg

import akka.actor.typed.BehaviorInterceptor.ReceiveTarget
import akka.actor.typed.{Behavior, BehaviorInterceptor, TypedActorContext}
import dramaturg.v1.ControlOuterClass.TraceResponse
import dramaturg.v1.Trace.{MessageKind, TraceBatch, TraceFooter}

import java.util.concurrent.ConcurrentLinkedQueue
import scala.annotation.elidable
import scala.reflect.ClassTag

/** What a log says of a message besides its sender. Made when the log is read, not before. */
final case class Entry(kind: MessageKind, arguments: Long*)

/** What the actors of one traced world took from their mailboxes and nobody has read yet.
  *
  * A row keeps the message itself, which is immutable: logging costs an actor two allocations and
  * no conversion, and disturbs the schedule as little as may be.
  */
final class ReceiveLog {
  import ReceiveLog._

  private val rows = new ConcurrentLinkedQueue[Row]

  /** Logs each message to the actor of that name before its behaviour gets it. */
  def recorder[M <: Message: ClassTag](name: Long): BehaviorInterceptor[M, M] =
    new BehaviorInterceptor[M, M] {
      private var seq = 0

      override def aroundReceive(
          context: TypedActorContext[M],
          message: M,
          target: ReceiveTarget[M]
      ): Behavior[M] = {
        rows.add(Row(name, seq, message))
        seq += 1
        target(context, message)
      }
    }

  /** What was logged before this call, in batches, and the footer; gone from here once read. */
  def drain(): Iterator[TraceResponse] = {
    val events = rows.size
    val batches = Iterator.fill(events)(rows.poll()).grouped(BatchRows).map(batch)
    val footer = TraceFooter.newBuilder.setEvents(events.toLong)
    batches.map(TraceResponse.newBuilder.setBatch(_).build) ++
      Iterator.single(TraceResponse.newBuilder.setFooter(footer).build)
  }
}

object ReceiveLog {

  /** Whether this build can trace: `false` where the compiler elides it (`bare` in the manifest). */
  @elidable(elidable.FINEST) def isCompiled: Boolean = true

  /** Half of what is allowed: then even rows of eight ten-byte arguments stay below 4 MiB. */
  private val BatchRows = 32768

  private final case class Row(actor: Long, seq: Int, message: Message)

  private def batch(rows: Seq[Row]): TraceBatch = {
    val batch = TraceBatch.newBuilder
    for (Row(actor, seq, message) <- rows) {
      val entry = message.entry
      batch.addActor(actor).addSeq(seq).addSender(message.sender).addKind(entry.kind.getNumber)
      entry.arguments.foreach(batch.addArgs)
    }
    batch.build
  }
}
