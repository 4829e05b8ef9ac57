package dramaturg.nodes

import akka.actor.typed.scaladsl.adapter._
import akka.actor.{ActorIdentity, ActorNotFound, ActorRef, ActorSystem, Identify}
import akka.pattern.ask
import akka.util.Timeout
import dramaturg.Benchmarks
import dramaturg.control.{Report, Watches, World}
import dramaturg.v2.Benchmarks.{Benchmark => Parameters, PingPongParameters}
import dramaturg.v2.ControlOuterClass.Peer
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

  private def guardianOf(node: Int, secret: String, system: ActorSystem): ActorRef = {
    val place = Place(node, peers.take(2), secret)
    val world = new World(new Watches(Nil), place.head(system))
    val benchmark = Benchmarks(
      Parameters.newBuilder.setPingpong(PingPongParameters.newBuilder.setRounds(1)).build
    )
    val guardian = place.spawn(system, Guardian(benchmark, world, place))
    assert(world.next().isInstanceOf[Report.Populated])
    if (node == 0) place.connect(system, guardian, isMesh = false)
    guardian.toClassic
  }

  private def path(secret: String): String =
    s"akka://${Systems.Name}@${peers(1).getHost}:${peers(1).getPort}/user/$secret"

  systems.test("nodes with the same secret find each other, strangers find nobody") { systems =>
    guardianOf(1, "secret", systems(1))
    guardianOf(0, "secret", systems.head)

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
}
