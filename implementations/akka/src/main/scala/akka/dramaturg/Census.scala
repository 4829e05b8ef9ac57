package akka.dramaturg

import akka.actor.{ActorRef, ActorRefWithCell, ActorSystem, ExtendedActorSystem}

/** Finds live actors where the runtime itself keeps them: in the tree of parents and children.
  *
  * In a package of Akka's because the tree is closed to others; it only reads. An actor is in the
  * tree from before its creator knows it until its parent has been told of its end.
  */
object Census {

  /** All actors below the user guardian, parents before their children. */
  def actors(system: ActorSystem): Iterator[ActorRef] =
    below(system.asInstanceOf[ExtendedActorSystem].provider.guardian)

  private def below(parent: ActorRef): Iterator[ActorRef] = parent match {
    case cell: ActorRefWithCell =>
      cell.children.iterator.flatMap(child => Iterator.single(child) ++ below(child))
    case _ => Iterator.empty
  }
}
