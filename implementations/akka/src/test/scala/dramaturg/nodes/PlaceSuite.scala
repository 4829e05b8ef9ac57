package dramaturg.nodes

import akka.actor.typed.scaladsl.adapter._
import akka.actor.{ActorIdentity, ActorNotFound, ActorSystem, Identify}
import akka.pattern.ask
import akka.util.Timeout
import dramaturg.control.{Report, Watches, World}
import dramaturg.v2.Benchmarks.{Benchmark => Parameters, PingPongParameters}
import dramaturg.v2.ControlOuterClass.Peer
import dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_PONG_VALUE
import dramaturg.{Benchmarks, Names}
import munit.FunSuite

import java.net.ServerSocket
import scala.concurrent.Await
import scala.concurrent.duration._
import scala.util.Using

class PlaceSuite extends FunSuite {
  private implicit val patience: Timeout = 10.seconds

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

  systems.test("an actor that fails on another node is named there and at node 0") { systems =>
    val there = world(1, "secret", systems(1))
    val here = world(0, "secret", systems.head)
    there.failed(Names(ACTOR_CLASS_PONG_VALUE), "out of breath")
    for (world <- Seq(there, here)) {
      val failure = intercept[IllegalStateException](world.next())
      assertEquals(failure.getMessage, "pong/0 failed: out of breath")
    }
  }
}
