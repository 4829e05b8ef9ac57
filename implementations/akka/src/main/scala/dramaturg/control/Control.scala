package dramaturg.control

import dramaturg.Digest
import dramaturg.nodes.Place
import dramaturg.v2.ControlGrpc.ControlImplBase
import dramaturg.v2.ControlOuterClass._
import io.grpc.Status
import io.grpc.stub.{ServerCallStreamObserver, StreamObserver}

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

/** The control port (spec/control.md). Each call has a thread of its own, and one is under way at
  * a time; only Trace may come beside another.
  */
final class Control extends ControlImplBase {
  private val systems = new Systems
  @volatile private var watches = new Watches(Nil)
  @volatile private var iteration: Iteration = _

  override def describe(request: DescribeRequest, to: StreamObserver[DescribeResponse]): Unit =
    answer(to)(Describe(request))

  override def prepare(request: PrepareRequest, to: StreamObserver[PrepareResponse]): Unit =
    answer(to) {
      val benchmark = Benchmark(request.getBenchmark)
      val place = Place(request)
      val settings = benchmark.settings ++ place.settings(benchmark.underWay)
      val (system, runtimeNanos) = systems.get(settings)
      val started = System.nanoTime()
      watches = new Watches(request.getWatchesList.asScala.toSeq)
      iteration = new Iteration(benchmark, system, place, new World(watches, place.head(system)))
      iteration.prepare()
      PrepareResponse.newBuilder
        .setSetupNanos(System.nanoTime() - started)
        .setRuntimeNanos(runtimeNanos)
        .build
    }

  override def act(request: ActRequest, to: StreamObserver[ActResponse]): Unit =
    answer(to) {
      val index = Integer.toUnsignedLong(request.getIndex)
      val k = Integer.toUnsignedLong(request.getK)
      iteration.say(Call.Act(request.getClient, request.getChoice, index, k))
      ActResponse.getDefaultInstance
    }

  override def turn(request: TurnRequest, to: StreamObserver[TurnResponse]): Unit =
    answer(to) {
      iteration.say(Call.Turn)
      TurnResponse.getDefaultInstance
    }

  override def run(request: RunRequest, to: StreamObserver[RunResponse]): Unit =
    guard(to) {
      iteration.run(new Digest(request.getSalt)) { done =>
        to.onNext(RunResponse.newBuilder.setMark(Mark.newBuilder.setDone(done)).build)
      }
      to.onCompleted()
    }

  override def trace(request: TraceRequest, to: StreamObserver[TraceResponse]): Unit =
    guard(to)(stream(watches.trace(), to))

  override def teardown(request: TeardownRequest, to: StreamObserver[TeardownResponse]): Unit =
    answer(to)(TeardownResponse.newBuilder.setReceipt(iteration.teardown()).build)

  private def answer[A](to: StreamObserver[A])(response: => A): Unit =
    guard(to) {
      to.onNext(response)
      to.onCompleted()
    }

  /** As fast as the caller takes them: a log can be larger than what a transport should buffer. */
  private def stream[A](responses: Iterator[A], to: StreamObserver[A]): Unit = {
    val call = to.asInstanceOf[ServerCallStreamObserver[A]]
    var completed = false
    call.setOnReadyHandler { () =>
      while (call.isReady && responses.hasNext) call.onNext(responses.next())
      if (!completed && !responses.hasNext) {
        completed = true
        call.onCompleted()
      }
    }
  }

  private def guard[A](to: StreamObserver[A])(body: => Unit): Unit =
    try body
    catch {
      case NonFatal(reason) =>
        to.onError(Status.INTERNAL.withDescription(reason.getMessage).asRuntimeException)
    }
}
