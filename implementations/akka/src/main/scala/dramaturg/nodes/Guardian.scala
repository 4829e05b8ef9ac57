package dramaturg.nodes

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control.{Benchmark, Report, World}
import dramaturg.{Actor, Message, Names}

import scala.util.control.NonFatal

/** Spawns those of a world's actors that are there at first, as siblings. */
object Guardian {
  def apply(benchmark: Benchmark, world: World, place: Place): Behavior[Neighbour.Message] =
    Behaviors.setup { context =>
      try world.tell(Report.Populated(benchmark.populate(new Births(world, place, context))))
      catch { case NonFatal(reason) => world.failed(Names.Control, reason.toString) }
      Neighbour(world)
    }
}

/** Brings to life those of the first actors that live on this node, and refers to the others. */
final class Births(val world: World, val place: Place, context: ActorContext[_]) {
  def one[M <: Message](name: Long, node: Int = 0)(
      create: ActorContext[M] => Actor[M]
  ): ActorRef[M] = {
    val path = Names.spell(name).replace('/', '-')
    if (node == place.node) context.spawn(Actor(name, world)(create), path)
    else place.refer(context.system, node, path)
  }

  /** `count` actors of one class; `node` says where each lives. */
  def all[M <: Message](count: Int, actorClass: Int, node: Int => Int = _ => 0)(
      create: (Int, ActorContext[M]) => Actor[M]
  ): IndexedSeq[ActorRef[M]] =
    Vector.tabulate(count)(i => one[M](Names(actorClass, i), node(i))(create(i, _)))
}
