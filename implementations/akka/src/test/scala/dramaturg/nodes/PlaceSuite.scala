package dramaturg.nodes

import akka.actor.typed.scaladsl.adapter._
import akka.actor.{ActorIdentity, ActorNotFound, ActorSystem, Identify}
import akka.pattern.ask
import akka.util.Timeout
import dramaturg.control.{Report, Watches, World}
import dramaturg.v2.Benchmarks.{
  Benchmark => Parameters,
  BrokerParameters,
  ChatAppParameters,
  PingPongParameters
}
import dramaturg.v2.ControlOuterClass.Peer
import dramaturg.v2.Trace.ActorClass._
import dramaturg.{Benchmarks, Names}
import munit.FunSuite

import java.net.ServerSocket
import scala.concurrent.Await
import scala.concurrent.duration._
import scala.util.Using

class PlaceSuite extends FunSuite {
  private implicit val patience: Timeout = 10.seconds

  /** Three systems start, while others may want the cores as well. */
  override def munitTimeout: Duration = 3.minutes

  private def freePort(): Int = Using.resource(new ServerSocket(0))(_.getLocalPort)

  private val peers =
    Vector.fill(3)(Peer.newBuilder.setHost("127.0.0.1").setPort(freePort()).build)

  private def system(node: Int): ActorSystem =
    new Systems().get(Place(node, peers.take(3), "").settings(_ => 1))._1

  private val systems = FunFixture[Seq[ActorSystem]](
    setup = _ => peers.indices.map(system),
    teardown = _.foreach(system => Await.result(system.terminate(), patience.duration))
  )

  private def world(node: Int, secret: String, system: ActorSystem): World = {
    val place = Place(node, peers.take(2), secret)
    val world = new World(new Watches(Nil), place.head(system))
    val benchmark = Benchmarks(
      Parameters.newBuilder.setPingpong(PingPongParameters.newBuilder.setRounds(1)).build
    )
    val guardian = place.spawn(system, Guardian(benchmark, world, place))
    assert(world.next().isInstanceOf[Report.Populated])
    if (node == 0) place.connect(system, guardian, isMesh = false)
    world
  }

  private def path(secret: String): String =
    s"akka://${Systems.Name}@${peers(1).getHost}:${peers(1).getPort}/user/$secret"

  systems.test("nodes with the same secret find each other, strangers find nobody") { systems =>
    world(1, "secret", systems(1))
    world(0, "secret", systems.head)

    val stranger = systems.last
    def identify(path: String) = {
      val there = akka.actor.typed.ActorRefResolver(stranger.toTyped).resolveActorRef[Any](path)
      Await.result(there.toClassic.ask(Identify("")), patience.duration)
    }
    assertEquals(identify(path("guess")), ActorIdentity("", None))
    for (path <- Seq(path("*"), path("secret"), s"${path("*")}/*"))
      intercept[ActorNotFound] {
        Await.result(stranger.actorSelection(path).resolveOne(1.second), patience.duration)
      }
  }

  private val chatapp = Benchmarks(
    Parameters.newBuilder
      .setChatapp(ChatAppParameters.newBuilder.setClients(13).setDirectories(4))
      .build
  )

  test("friends live on different nodes, and all can be found by name") {
    val homes = Seq(
      Names(ACTOR_CLASS_POKER_VALUE) -> Home(0, "/poker-0"),
      Names(ACTOR_CLASS_ACCUMULATOR_VALUE, 5) -> Home(0, "/poker-0/accumulator-5"),
      Names(ACTOR_CLASS_DIRECTORY_VALUE, 2) -> Home(2, "/directory-2"),
      Names(ACTOR_CLASS_DIRECTORY_VALUE, 3) -> Home(0, "/poker-0/directory-3"),
      Names(ACTOR_CLASS_CLIENT_VALUE, 3) -> Home(0, "/poker-0/directory-3/client-3"),
      Names(ACTOR_CLASS_CLIENT_VALUE, 5) -> Home(1, "/directory-1/client-5"),
      Names(ACTOR_CLASS_CLIENT_VALUE, 12) -> Home(0, "/poker-0/directory-0/client-12"),
      Names(ACTOR_CLASS_CLIENT_VALUE, 9) -> Home(2, "/client-9"),
      Names(ACTOR_CLASS_CHAT_VALUE, 9, 4) -> Home(2, "-chat-9.4")
    )
    for ((name, home) <- homes) assertEquals(chatapp.home(name, 3), home)
  }

  test("a frame holds the longest payload and what goes around it") {
    val size = 1 << 20
    val broker = Benchmarks(
      Parameters.newBuilder
        .setBroker(BrokerParameters.newBuilder.setEmployees(2).setTasks(1).setSize(size))
        .build
    )
    val settings = Place(0, peers, "").settings(broker.underWay, broker.longest)
    assertEquals(settings("dramaturg.frame"), size + 4096L)
  }

  systems.test("an actor that fails on another node is named there and at node 0") { systems =>
    val there = world(1, "secret", systems(1))
    val here = world(0, "secret", systems.head)
    there.failed(Names(ACTOR_CLASS_PONG_VALUE), "out of breath")
    for (world <- Seq(there, here)) {
      val failure = intercept[IllegalStateException](world.next())
      assertEquals(failure.getMessage, "pong/0 failed: out of breath")
    }
  }

  systems.test("whoever is born on the wrong node, or not at all, ends the run") { systems =>
    val peers = this.peers.take(2)
    val place = Place(0, peers, "secret")
    for (
      (message, complaint) <- Seq(
        Neighbour.Birth(0, Names(ACTOR_CLASS_DIRECTORY_VALUE, 1), 7) ->
          "directory/1 failed: .*not born here",
        Neighbour.First(0, Names(ACTOR_CLASS_CLIENT_VALUE, 0), Array.empty) ->
          "client/0 failed: .*not born here"
      )
    ) {
      val world = new World(new Watches(Nil), None)
      val guardian = systems.head.spawnAnonymous(Guardian(chatapp, world, place))
      assert(world.next().isInstanceOf[Report.Populated])
      guardian ! message
      val failure = intercept[IllegalStateException](world.next())
      assert(failure.getMessage.matches(s".*$complaint"), failure.getMessage)
    }
  }
}
