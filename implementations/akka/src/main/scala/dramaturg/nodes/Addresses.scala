package dramaturg.nodes

import akka.actor.typed.scaladsl.adapter._
import akka.actor.typed.{ActorRef, ActorSystem => TypedSystem, Behavior}
import akka.actor.{ActorSystem, ExtendedActorSystem, Extension, ExtensionId}
import akka.serialization.SerializationExtension
import dramaturg.{Message, Names}

import java.util.concurrent.ConcurrentHashMap

/** Where those of a world live who are made in the run. On one node this refers to nobody. */
final class Addresses(place: Place, system: TypedSystem[_], home: Long => Home) {
  private val known = new ConcurrentHashMap[Long, ActorRef[Nothing]]

  /** The actor of this name, which has been made by now: what names it came behind its birth. */
  def apply[M](name: Long): ActorRef[M] = {
    var ref = known.get(name)
    if (ref eq null) {
      ref = place.refer[M](system, home(name))
      known.put(name, ref): Unit
    }
    ref.unsafeUpcast[M]
  }

  def isHere(name: Long): Boolean = place.isAlone || home(name).node == place.node

  /** An actor that `maker` makes: here, by this, or on another node. Its birth is no message of the
    * specification, and nobody logs it (DIST-7).
    */
  def bear[M](name: Long, maker: Long, seed: Int)(spawn: => ActorRef[M]): ActorRef[M] =
    if (isHere(name)) spawn
    else {
      guardian(name) ! Neighbour.Birth(maker, name, seed)
      apply(name)
    }

  /** The way from its maker to an actor that may not be there yet: behind its birth. */
  def toNewborn[M <: Message](name: Long, ref: ActorRef[M]): Newborn[M] =
    new Newborn(name, ref, if (isHere(name)) None else Some(guardian(name)), system)

  /** Starts an actor at once that is nobody's child, from any thread: where other nodes find it, if
    * there are any.
    */
  def beside[M](name: Long, behavior: Behavior[M]): ActorRef[M] =
    if (place.isAlone) system.toClassic.spawnAnonymous(behavior)
    else system.toClassic.spawn(behavior, s"${place.secret}${Addresses.besideGuardian(name)}")

  def read(bytes: Array[Byte]): Message =
    SerializationExtension(system).deserialize(bytes, classOf[Message]).get

  private def guardian(name: Long): ActorRef[Neighbour.Message] =
    place.guardianAt(system, home(name).node)
}

object Addresses extends ExtensionId[CurrentAddresses] {

  /** Those of a world that begins here: what comes from other nodes is read by them. */
  def apply(place: Place, system: TypedSystem[_], home: Long => Home): Addresses = {
    val addresses = new Addresses(place, system, home)
    if (!place.isAlone) of(system.toClassic).ofWorld = addresses
    addresses
  }

  override def createExtension(system: ExtendedActorSystem): CurrentAddresses =
    new CurrentAddresses

  /** The path of one who is nobody's child. It begins with the secret, as those of all others do. */
  def besideGuardian(name: Long): String = s"-${Names.inPath(name)}"

  def of(system: ActorSystem): CurrentAddresses = this(system)
}

/** Who is referred to in messages from other nodes. */
final class CurrentAddresses extends Extension {
  @volatile var ofWorld: Addresses = _
}

/** An actor to its maker. On another node the guardian passes on what is sent here, as it sees to
  * births: both come to it in the order in which they were sent. Messages of the maker's that go
  * straight to the actor have to wait until it has answered.
  */
final class Newborn[M <: Message](
    name: Long,
    ref: ActorRef[M],
    guardian: Option[ActorRef[Neighbour.Message]],
    system: TypedSystem[_]
) {
  def !(message: M): Unit = guardian match {
    case None           => ref ! message
    case Some(guardian) =>
      val bytes = SerializationExtension(system).serialize(message).get
      guardian ! Neighbour.First(message.sender, name, bytes)
  }
}
