package dramaturg

import dramaturg.chatapp.ChatApp
import dramaturg.v1.ControlOuterClass._
import dramaturg.v1.Trace.Choice
import io.grpc.{Status, StatusRuntimeException}

import scala.util.control.NonFatal

/** The calls of the control port in their order (spec/control.md), each on the thread that made it.
  *
  * Throws what a call answers instead of a response: a `StatusRuntimeException` if it may not be
  * made, [[ActorFailed]], or [[Abandoned]].
  */
final class Session {
  import Session._

  // All guarded by this. Actors are only ever waited for without holding it.
  private var current = Option.empty[Play]
  private var log = Option.empty[ReceiveLog]

  def prepare(request: PrepareRequest): PrepareResponse =
    drive("Prepare") {
      if (current.nonEmpty) throw early("Prepare: there is a world already; Teardown is missing")
      val play = Play(request)
      current = Some(play)
      log = play.stage.log
      play
    } { play =>
      play.world = play.newWorld(play.stage)
      PrepareResponse.newBuilder.setSetupNanos(play.world.setUp()).build
    }

  def act(request: ActRequest): ActResponse =
    step("Act") { clients =>
      Checks.within("client", request.getClient, 0, clients - 1)
      Checks.within("choice", request.getChoiceValue, 0, Choice.CHOICE_JOIN_VALUE.toLong)
    } { chatapp =>
      val index = Integer.toUnsignedLong(request.getIndex)
      val k = Integer.toUnsignedLong(request.getK)
      val confirmed = chatapp.act(request.getClient, request.getChoice, index, k)
      ActResponse.newBuilder.setTurn(confirmed.turn).build
    }

  def turn(): TurnResponse =
    step("Turn")(_ => ()) { chatapp =>
      val confirmed = chatapp.turn()
      val nanos = confirmed.ended - confirmed.started
      TurnResponse.newBuilder.setTurn(confirmed.turn).setNanos(nanos).build
    }

  /** One step of ChatApp; `check` is given the number of clients. */
  private def step[A](call: String)(check: Long => Unit)(body: ChatApp => A): A =
    drive(call) {
      val play = idle(call)
      if (play.ran) throw early(s"$call: the world was Run; Teardown and Prepare are missing")
      if (!play.request.getBenchmark.hasChatapp)
        throw early(s"$call: this world is no ChatApp; Teardown and Prepare are missing")
      check(Integer.toUnsignedLong(play.request.getBenchmark.getChatapp.getClients))
      play.touched = true
      play
    } { play =>
      play.world match {
        case chatapp: ChatApp => body(chatapp)
        case other            => throw new IllegalStateException(s"$other is no ChatApp")
      }
    }

  /** The responses go to `onResponse` as they come about. */
  def run(request: RunRequest)(onResponse: RunResponse => Unit): Unit =
    drive("Run") {
      val play = idle("Run")
      if (play.ran || play.touched)
        throw early("Run: the world is used already; Teardown and Prepare are missing")
      if (play.request.getNode > 0) throw early("Run: belongs to node 0; its Prepare is missing")
      Checks.within("iterations", request.getIterations, 1, play.mostIterations)
      play.ran = true
      play
    } { play =>
      for (iteration <- 0 until request.getIterations) {
        if (iteration > 0) {
          play.world.remove()
          play.world = play.newWorld(play.stage)
          play.world.setUp()
        }
        val progress = new Progress(iteration, play.world.total, onResponse)
        val receipt = play.world.run(progress.report)
        onResponse(RunResponse.newBuilder.setReceipt(receipt).build)
      }
    }

  def trace(): Iterator[TraceResponse] = synchronized {
    log.getOrElse(throw early("Trace: there is no log; Prepare with trace is missing")).drain()
  }

  def teardown(request: TeardownRequest): TeardownResponse = {
    val response = TeardownResponse.newBuilder
    if (request.getAbandon) strike(abandon())
    else
      drive("Teardown")(idle("Teardown")) { play =>
        if (!play.ran) response.setReceipt(play.world.disconnect())
        strike(play)
      }
    response.build
  }

  private def abandon(): Play = synchronized {
    val play = world("Teardown")
    play.abandoned = true
    play.stage.inbox.abandon()
    log = None
    play
  }

  private def strike(play: Play): Unit = {
    play.stage.strike()
    synchronized { if (current.contains(play)) current = None }
  }

  /** Makes a call that waits for actors. `claim` says for which world, or that it may not be made
    * now; until it is done, nothing but Trace and abandoning may be.
    */
  private def drive[A](call: String)(claim: => Play)(body: Play => A): A = {
    val play = synchronized {
      val play = claim
      play.underWay = Some(call)
      play
    }
    try body(play)
    catch { case NonFatal(_) if synchronized(play.abandoned) => throw new Abandoned }
    finally synchronized { play.underWay = None }
  }

  private def idle(call: String): Play = {
    val play = world(call)
    for (other <- play.underWay) throw early(s"$call came too early: $other is under way")
    play
  }

  private def world(call: String): Play =
    current.getOrElse(throw early(s"$call: there is no world; Prepare is missing"))
}

object Session {

  /** The worlds of one Prepare, and how far they have got. */
  private final class Play(
      val request: PrepareRequest,
      val newWorld: Stage => World,
      val stage: Stage
  ) {
    @volatile var world: World = _
    var underWay = Option.empty[String]
    var touched = false
    var ran = false
    var abandoned = false

    /** A traced or distributed world is played once. */
    def mostIterations: Long =
      if (stage.log.nonEmpty || !stage.place.isAlone) 1 else Int.MaxValue.toLong
  }

  private object Play {
    def apply(request: PrepareRequest): Play = {
      val set = Checks.set(request)
      val log = Option.when(request.getTrace)(new ReceiveLog)
      new Play(request, set.newWorld, Stage(set.place, set.settings, log))
    }
  }

  /** Passes on how far an iteration has got, a few times a second at most. */
  private final class Progress(iteration: Int, total: Long, onResponse: RunResponse => Unit) {
    private var last = System.nanoTime()

    def report(done: Long): Unit = {
      val now = System.nanoTime()
      if (now - last >= Progress.IntervalNanos) {
        last = now
        val progress = RunResponse.Progress.newBuilder
          .setIteration(iteration)
          .setDone(done)
          .setTotal(total)
        onResponse(RunResponse.newBuilder.setProgress(progress).build)
      }
    }
  }

  private object Progress {
    val IntervalNanos = 200_000_000L
  }

  private def early(message: String): StatusRuntimeException =
    Status.FAILED_PRECONDITION.withDescription(message).asRuntimeException
}
