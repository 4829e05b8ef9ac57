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
      val births = new Births(world, place, context, benchmark.home(_, place.nodes))
      try world.tell(Report.Populated(benchmark.populate(births)))
      catch { case NonFatal(reason) => world.failed(Names.Control, reason.toString) }
      Neighbour(world, births.addresses, benchmark.born(births, _))
    }
}

/** Brings to life those of the first actors that live on this node, and refers to the others. */
final class Births(
    val world: World,
    val place: Place,
    context: ActorContext[_],
    home: Long => Home
) {
  val addresses: Addresses = Addresses(place, context.system, home)

  def one[M <: Message](name: Long, node: Int = 0)(
      create: ActorContext[M] => Actor[M]
  ): ActorRef[M] =
    if (node == place.node) here(name, Actor(name, world)(create))
    else place.refer(context.system, node, Names.inPath(name))

  /** On this node, also in the run. */
  def here[M](name: Long, behavior: Behavior[M]): ActorRef[M] =
    context.spawn(behavior, Names.inPath(name))

  /** `count` actors of one class; `node` says where each lives. */
  def all[M <: Message](count: Int, actorClass: Int, node: Int => Int = _ => 0)(
      create: (Int, ActorContext[M]) => Actor[M]
  ): IndexedSeq[ActorRef[M]] =
    Vector.tabulate(count)(i => one[M](Names(actorClass, i), node(i))(create(i, _)))
}
