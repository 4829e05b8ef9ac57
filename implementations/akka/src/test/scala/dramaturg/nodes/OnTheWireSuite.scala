package dramaturg.nodes

import akka.actor.ActorSystem
import akka.serialization.{SerializationExtension, Serializers}
import dramaturg.micro.{Bang, Big, PingPong, Web}
import dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_PEER_VALUE
import dramaturg.{Digest, Message, Names}
import munit.FunSuite

import scala.concurrent.Await
import scala.concurrent.duration.Duration

class OnTheWireSuite extends FunSuite {
  private val name = Names(ACTOR_CLASS_PEER_VALUE, 17)
  private val many = 0xffffffffL
  private val digest = new Digest(-1)
  private val salt = new Digest(-2)

  private val messages = List[Message](
    Neighbour.Failed(name, "out of breath"),
    PingPong.Ping.Pong(name, many, digest),
    PingPong.Pong.Ping(name, 3, digest),
    Big.Coordinator.Finished(name, 1, many, digest, salt),
    Big.Coordinator.Marked(name, 2, many),
    Big.Coordinator.Idle(name),
    Big.Peer.Go(name, salt),
    Big.Peer.Ping(name, many, digest),
    Big.Peer.Pong(name, 0, digest),
    Big.Peer.Mark(name, 7),
    Big.Peer.Stop(name),
    Bang.Receiver.Bang(name, many, digest),
    Bang.Receiver.Finished(name, 5, digest),
    Bang.Sender.Go(name, salt),
    Bang.Sender.Answer(name, many, digest),
    Bang.Sender.Stop(name),
    Web.Dispatcher.Request(name, many, digest),
    Web.Dispatcher.Finished(name, 1, digest),
    Web.Browser.Go(name, salt),
    Web.Browser.Answer(name, 1, digest)
  )

  private val system = FunFixture[ActorSystem](
    setup = _ => ActorSystem("wire"),
    teardown = system => Await.result(system.terminate(), Duration.Inf): Unit
  )

  system.test("messages survive the wire") { system =>
    val serialization = SerializationExtension(system)
    for (message <- messages) {
      val bytes = serialization.serialize(message).get
      val serializer = serialization.findSerializerFor(message)
      val manifest = Serializers.manifestFor(serializer, message)
      val received = serialization.deserialize(bytes, serializer.identifier, manifest).get
      assertEquals(received, message: AnyRef)
    }
  }
}
