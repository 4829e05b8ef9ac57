package dramaturg.control

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.nodes.Place
import dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_UNSPECIFIED_VALUE

import scala.util.control.NonFatal

/** Spawns those of a world's actors that are there at first, as siblings. */
object Guardian {
  sealed trait Message

  /** Have control told when that guardian's node is lost. */
  final case class Watch(guardian: ActorRef[Nothing], node: Int) extends Message

  private final case class Lost(node: Int) extends Message

  /** From another node: an actor there has failed, and that node's log has the reason. */
  final case class Failed(sender: Long) extends Message with dramaturg.control.Message {
    def entry: Entry = Entry(MESSAGE_KIND_UNSPECIFIED_VALUE)
  }

  def apply(benchmark: Benchmark, world: World, place: Place): Behavior[Message] =
    Behaviors.setup { context =>
      val report =
        try Report.Populated(benchmark.populate(new Births(world, place, context)))
        catch { case NonFatal(reason) => Report.Failed(Names.Control, reason.toString) }
      world.tell(report)
      Behaviors.receiveMessage { message =>
        message match {
          case Watch(guardian, node) => context.watchWith(guardian, Lost(node))
          case Lost(node)            => world.tell(Report.Lost(place.spell(node)))
          case Failed(name)          => world.tell(Report.Failed(name, "on another node"))
        }
        Behaviors.same
      }
    }
}

/** Brings to life those of the first actors that live on this node, and refers to the others. */
final class Births(val world: World, val place: Place, context: ActorContext[_]) {
  def one[M <: Message](name: Long, node: Int = 0)(
      create: ActorContext[M] => Actor[M]
  ): ActorRef[M] = {
    val path = Names.spell(name).replace('/', '-')
    if (node == place.node) context.spawn(Behaviors.setup(create), path)
    else place.refer(context.system, node, path)
  }

  /** `count` actors of one class; `node` says where each lives. */
  def all[M <: Message](count: Int, actorClass: Int, node: Int => Int = _ => 0)(
      create: (Int, ActorContext[M]) => Actor[M]
  ): IndexedSeq[ActorRef[M]] =
    Vector.tabulate(count)(i => one[M](Names(actorClass, i), node(i))(create(i, _)))
}
