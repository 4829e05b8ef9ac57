package dramaturg.nodes

import akka.actor.ActorSystem
import akka.actor.typed.scaladsl.adapter._
import akka.serialization.{SerializationExtension, Serializers}
import dramaturg.chatapp._
import dramaturg.micro.{Bang, Big, Broker, PingPong, Web}
import dramaturg.v2.ControlOuterClass.Peer
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.Choice
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
    PingPong.Ping.Pong(name, many, -1),
    PingPong.Pong.Ping(name, 3, many << 32),
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
    Web.Browser.Answer(name, 1, digest),
    Broker.Router.Request(name, many, digest),
    Broker.Employee.Go(name),
    Broker.Employee.Dismiss(name),
    Neighbour.Birth(name, Names(ACTOR_CLASS_CHAT_VALUE, -1, 1), 65535)
  )

  /** Those that refer to somebody are made for a world. */
  private def referring(addresses: Addresses): List[Message] = {
    val (turn, last) = (1048575, Client.LogoutTurn)
    val accumulator =
      addresses[Accumulator.Message](Names(ACTOR_CLASS_ACCUMULATOR_VALUE, turn))
    val nobody = addresses[Accumulator.Message](Names(ACTOR_CLASS_ACCUMULATOR_VALUE, last))
    val chat = Names(ACTOR_CLASS_CHAT_VALUE, 70000, 9)
    val client = Names(ACTOR_CLASS_CLIENT_VALUE, 70000)
    val friend = ClientRef(70000, addresses(client))
    val draw = Choice.CHOICE_DRAW
    val sums = Sums(65535, many, 3, 4, 5, 6, many << 31, 8)
    List(
      Poker.Settled(name),
      Poker.Finished(name, sums),
      Directory.Login(name, 70000),
      Directory.Befriend(name),
      Directory.Settle(name),
      Directory.Settled(name),
      Directory.Poke(name, turn, salt, accumulator),
      Directory.Act(name, turn, 70000, Choice.CHOICE_JOIN, many, many, accumulator),
      Directory.Disconnect(name),
      Directory.Left(name, sums),
      Client.Befriend(name, friend),
      Client.Settle(name),
      Client.Act(name, turn, draw, many, many, salt, accumulator),
      Client.Forward(name, turn, 2, -1L, accumulator),
      Client.Accepted(chat, turn, 2, addresses(chat), accumulator),
      Client.Left(name, last, nobody),
      Client.Logout(name),
      Chat.Post(name, turn, 70000L << 32 | many, accumulator),
      Chat.Join(name, turn, friend, accumulator),
      Chat.Leave(name, last, nobody),
      Accumulator.Stop(name, 2, many << 31),
      Accumulator.Bump(name, 1, Int.MaxValue, digest)
    )
  }

  private val system = FunFixture[ActorSystem](
    setup = _ => ActorSystem("wire"),
    teardown = system => Await.result(system.terminate(), Duration.Inf): Unit
  )

  private def received(system: ActorSystem, message: Message): AnyRef = {
    val serialization = SerializationExtension(system)
    val bytes = serialization.serialize(message).get
    val serializer = serialization.findSerializerFor(message)
    val manifest = Serializers.manifestFor(serializer, message)
    serialization.deserialize(bytes, serializer.identifier, manifest).get
  }

  system.test("messages survive the wire") { system =>
    for (message <- messages) assertEquals(received(system, message), message: AnyRef)
  }

  system.test("messages that refer to somebody do so after the wire") { system =>
    val peers = Vector.fill(2)(Peer.newBuilder.setHost("127.0.0.1").setPort(1).build)
    val home: Long => Home = name => Home(1, s"/${Names.inPath(name)}")
    val addresses = Addresses(Place(0, peers, "secret"), system.toTyped, home)
    for (message <- referring(addresses))
      assertEquals(received(system, message), message: AnyRef)
  }

  system.test("bytes survive the wire, however many") { system =>
    for (size <- Seq(0, 1, 65537, 1 << 20)) {
      val payload = Broker.payload(salt, 3, size)
      received(system, Broker.Employee.Task(name, many, payload)) match {
        case Broker.Employee.Task(sender, number, bytes) =>
          assertEquals((sender, number), (name, many))
          assert(bytes.sameElements(payload))
        case other => fail(s"$other")
      }
    }
  }
}
