package dramaturg.control

import akka.actor.ActorSystem
import akka.actor.typed.Behavior
import akka.actor.typed.scaladsl.adapter._
import dramaturg.chatapp.{Chat, ClientRef}
import dramaturg.nodes.Place
import dramaturg.v2.Benchmarks.{Benchmark => Parameters, _}
import dramaturg.v2.Trace.ActorClass._
import dramaturg.{Actor, Benchmarks, Digest, Names}
import munit.FunSuite

import scala.collection.mutable
import scala.concurrent.Await
import scala.concurrent.duration.Duration

class IterationSuite extends FunSuite {
  private val alone = Place(0, Vector.empty, "")
  private val salt = new Digest(-42)

  private val chatapp = Parameters.newBuilder
    .setChatapp(
      ChatAppParameters.newBuilder
        .setClients(256)
        .setDirectories(8)
        .setTurns(16)
        .setCompute(10)
        .setPost(50)
        .setLeave(20)
        .setInvite(15)
        .setBefriend(10)
        .setSelection(Selection.SELECTION_CUMULATIVE)
        .setFibN(9)
        .setHistory(true)
        .setSeed(42)
    )
    .build

  private val big =
    Parameters.newBuilder.setBig(BigParameters.newBuilder.setPeers(8).setRounds(3)).build

  private val system = FunFixture[ActorSystem](
    setup = _ => ActorSystem("iterations"),
    teardown = system => Await.result(system.terminate(), Duration.Inf): Unit
  )

  private def prepared(
      parameters: Parameters,
      system: ActorSystem,
      world: World = new World(new Watches(Nil), None)
  ): Iteration = {
    val iteration = new Iteration(Benchmarks(parameters), system, alone, world)
    iteration.prepare()
    iteration
  }

  private def chat(system: ActorSystem, world: World) = {
    val nobody = ClientRef(0, system.toTyped.ignoreRef)
    val name = Names(ACTOR_CLASS_CHAT_VALUE, 7, 1)
    system.spawnAnonymous(Chat(name, nobody, keepsHistory = false, world))
  }

  /** A chat that is left by somebody who is no member of it. */
  private def failing(system: ActorSystem, world: World): Unit = {
    val stranger = Names(ACTOR_CLASS_CLIENT_VALUE, 5)
    chat(system, world) ! Chat.Leave(stranger, 0, system.toTyped.ignoreRef)
  }

  system.test("iterations follow each other in one system, alike, and leave nothing") { system =>
    val receipts = Seq.fill(3) {
      val iteration = prepared(chatapp, system)
      val marks = mutable.Buffer.empty[Int]
      iteration.run(salt)(marks += _)
      assertEquals(marks.last, 16)
      iteration.teardown()
    }
    assert(receipts.forall(_.getAlive == 0))
    assert(receipts.forall(_.getRunNanos > 0))
    assertEquals(receipts.map(_.getChatapp.getLcgChecksum).distinct.size, 1)
    for (receipt <- receipts.map(_.getChatapp)) {
      assertEquals(receipt.getConfirms, 16L)
      assertEquals(receipt.getAnnounced, receipt.getConsumed)
      assertEquals(receipt.getStops, receipt.getDeliveries + receipt.getJoins)
    }
  }

  system.test("a run without turns or windows has no marks, and its time is the lead's") { system =>
    val iteration = prepared(big, system)
    iteration.run(salt)(done => fail(s"marked $done"))
    val receipt = iteration.teardown()
    assertEquals(receipt.getAlive, 0L)
    assert(receipt.getRunNanos > 0)
    assertEquals(receipt.getDone.getArguments(0), 8L * 7 * 3)
    assertEquals(receipt.getDone.getArguments(2), receipt.getDone.getArguments(3))
  }

  system.test("who lived before the iteration is not counted, who lives after it is") { system =>
    val world = new World(new Watches(Nil), None)
    chat(system, world)
    val iteration = prepared(big, system, world)
    iteration.run(salt)(_ => ())
    chat(system, world)
    assertEquals(iteration.teardown().getAlive, 1L)
  }

  system.test("an actor that fails is named") { system =>
    val world = new World(new Watches(Nil), None)
    failing(system, world)
    val failure = intercept[IllegalStateException](world.next())
    assert(failure.getMessage.startsWith("chat/7.1 failed: "), failure.getMessage)
  }

  system.test("an actor that cannot be made is named") { system =>
    val world = new World(new Watches(Nil), None)
    val name = Names(ACTOR_CLASS_CHAT_VALUE, 7, 1)
    val mistaken: Behavior[Chat.Message] =
      Actor(name, world)(_ => throw new IllegalStateException("on purpose"))
    system.spawnAnonymous(mistaken)
    val failure = intercept[IllegalStateException](world.next())
    assertEquals(failure.getMessage, "chat/7.1 failed: java.lang.IllegalStateException: on purpose")
  }

  system.test("an actor that fails when nobody waits for it is named at tear-down") { system =>
    val world = new World(new Watches(Nil), None)
    val iteration = prepared(big, system, world)
    iteration.run(salt)(_ => ())
    failing(system, world)
    val failure = intercept[IllegalStateException](iteration.teardown())
    assert(failure.getMessage.startsWith("chat/7.1 failed: "), failure.getMessage)
  }
}
