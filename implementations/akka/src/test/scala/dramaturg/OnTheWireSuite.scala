package dramaturg

import akka.actor.ActorSystem
import akka.actor.typed.scaladsl.Behaviors
import akka.serialization.{SerializationExtension, Serializers}
import dramaturg.pingpong.{Ping, Pong}
import munit.FunSuite

class OnTheWireSuite extends FunSuite {
  test("ping and pong survive the wire, the reference included") {
    val stage = new Stage(ActorSystem("wire"), None)
    try {
      val ping = stage.spawn[Ping.Message](Behaviors.ignore)
      val serialization = SerializationExtension(stage.system)
      for (message <- List(Pong.Ping(Names.Ping, 0xffffffffL, ping), Ping.Pong(Names.Pong, 3))) {
        val bytes = serialization.serialize(message).get
        val serializer = serialization.findSerializerFor(message)
        val manifest = Serializers.manifestFor(serializer, message)
        assertEquals(serialization.deserialize(bytes, serializer.identifier, manifest).get, message)
      }
    } finally stage.strike()
  }
}
