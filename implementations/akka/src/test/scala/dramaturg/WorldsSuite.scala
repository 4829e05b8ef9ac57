package dramaturg

import akka.actor.ActorSystem
import akka.actor.typed.scaladsl.adapter._
import dramaturg.chatapp.{Chat, ChatApp, ClientRef, Parameters, Poker, Sums}
import dramaturg.v1.Benchmarks.Selection
import munit.FunSuite

class WorldsSuite extends FunSuite {
  private val parameters = Parameters(
    clients = 256,
    directories = 8,
    turns = 16,
    compute = 10,
    post = 50,
    leave = 20,
    invite = 15,
    befriend = 10,
    selection = Selection.SELECTION_CUMULATIVE,
    fibN = 9,
    history = true,
    seed = 42
  )

  private val system = FunFixture[ActorSystem](
    setup = _ => ActorSystem("worlds"),
    teardown = new Stage(_, None).strike()
  )

  system.test("two worlds of one system do not meet") { system =>
    val stages = List.fill(2)(new Stage(system, None))
    val pokers = stages.map(stage => stage.spawn(Poker(parameters, stage.scene)))
    pokers.foreach(_ ! Poker.Prepare(Names.Control))
    stages.foreach(_.inbox.take())
    pokers.foreach(_ ! Poker.Run(Names.Control))
    // Deliveries depend on the schedule; all else is the same script, performed twice.
    val sums = stages.map(finished(_).copy(deliveries = 0))
    assertEquals(sums.head, sums.last)
    assert(sums.head.joins > 0)

    pokers.zip(stages).foreach { case (poker, stage) => stage.remove(poker) }
    assertEquals(stages.head.alive(_ == stages.last.scene.control.path), 0)
  }

  system.test("worlds follow each other in one system and leave nothing") { system =>
    val stage = new Stage(system, None)
    for (_ <- 1 to 3) {
      val world = new ChatApp(parameters, stage)
      world.setUp()
      val receipt = world.run(_ => ())
      assertEquals(receipt.getAlive, 0L)
      assertEquals(receipt.getChatapp.getConfirms, 16L)
      world.remove()
    }
  }

  system.test("a chat that nobody ends is counted") { system =>
    val stage = new Stage(system, None)
    val nobody = ClientRef(0, system.toTyped.ignoreRef)
    stage.spawn(Chat(Names.chat(0, 0), nobody, keepsHistory = false, stage.scene))
    assertEquals(stage.alive(_ => false), 1)
  }

  system.test("an actor that fails is named") { system =>
    val stage = new Stage(system, None)
    val nobody = ClientRef(0, system.toTyped.ignoreRef)
    val chat = stage.spawn(Chat(Names.chat(7, 1), nobody, keepsHistory = false, stage.scene))
    chat ! Chat.Leave(Names.client(5), 0, system.toTyped.ignoreRef)
    val failure = intercept[ActorFailed](stage.inbox.take())
    assert(failure.getMessage.startsWith("chat/7.1 failed: "), failure.getMessage)
  }

  private def finished(stage: Stage): Sums =
    Iterator
      .continually(stage.inbox.take())
      .collectFirst { case Inbox.Finished(_, sums, _) =>
        sums
      }
      .get
}
