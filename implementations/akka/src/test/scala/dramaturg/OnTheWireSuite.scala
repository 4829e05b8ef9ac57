package dramaturg

import akka.actor.ActorSystem
import akka.serialization.{SerializationExtension, Serializers}
import dramaturg.micro.{Bang, Big, PingPong, Web}
import munit.FunSuite

class OnTheWireSuite extends FunSuite {
  private val name = Names.peer(17)
  private val big = 0xffffffffL

  private val messages = List[Message](
    PingPong.Ping.Pong(name, big),
    PingPong.Pong.Ping(name, 3),
    Big.Coordinator.Finished(name, 1, big),
    Big.Coordinator.Marked(name, 2, big),
    Big.Coordinator.Idle(name),
    Big.Peer.Go(name),
    Big.Peer.Ping(name, big),
    Big.Peer.Pong(name, 0),
    Big.Peer.Mark(name, 7),
    Big.Peer.Stop(name),
    Bang.Receiver.Bang(name, big),
    Bang.Receiver.Finished(name, 5),
    Bang.Sender.Go(name),
    Bang.Sender.Answer(name, big),
    Bang.Sender.Stop(name),
    Web.Dispatcher.Request(name, big),
    Web.Dispatcher.Finished(name, 1, 2),
    Web.Browser.Go(name),
    Web.Browser.Answer(name, 1, big)
  )

  test("messages survive the wire") {
    val stage = new Stage(ActorSystem("wire"), None)
    try {
      val serialization = SerializationExtension(stage.system)
      for (message <- messages) {
        val bytes = serialization.serialize(message).get
        val serializer = serialization.findSerializerFor(message)
        val manifest = Serializers.manifestFor(serializer, message)
        assertEquals(
          serialization.deserialize(bytes, serializer.identifier, manifest).get,
          message: AnyRef
        )
      }
    } finally stage.strike()
  }
}
