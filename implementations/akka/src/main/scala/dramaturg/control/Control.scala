package dramaturg.control

import dramaturg.nodes.{Place, Systems}
import dramaturg.v2.ControlGrpc.ControlImplBase
import dramaturg.v2.ControlOuterClass._
import dramaturg.{Benchmarks, Digest}
import io.grpc.Status
import io.grpc.stub.StreamObserver

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
    answer(to)(to.onNext(Describe(request)))

  override def prepare(request: PrepareRequest, to: StreamObserver[PrepareResponse]): Unit =
    answer(to) {
      val benchmark = Benchmarks(request.getBenchmark)
      val place = Place(request)
      val settings = benchmark.settings ++ place.settings(benchmark.underWay, benchmark.longest)
      val (system, runtimeNanos) = systems.get(settings)
      val begun = System.nanoTime()
      watches = new Watches(request.getWatchesList.asScala.toSeq)
      iteration = new Iteration(benchmark, system, place, new World(watches, place.head(system)))
      iteration.prepare()
      val nanos = PrepareResponse.newBuilder.setSetupNanos(System.nanoTime() - begun)
      to.onNext(nanos.setRuntimeNanos(runtimeNanos).build)
    }

  override def act(request: ActRequest, to: StreamObserver[ActResponse]): Unit =
    answer(to) {
      iteration.say(Call.Act(request))
      to.onNext(ActResponse.getDefaultInstance)
    }

  override def turn(request: TurnRequest, to: StreamObserver[TurnResponse]): Unit =
    answer(to) {
      iteration.say(Call.Turn)
      to.onNext(TurnResponse.getDefaultInstance)
    }

  override def run(request: RunRequest, to: StreamObserver[RunResponse]): Unit =
    answer(to)(watches.limited(request.getLogLimit) {
      iteration.run(new Digest(request.getSalt)) { done =>
        to.onNext(RunResponse.newBuilder.setMark(Mark.newBuilder.setDone(done)).build)
      }
    })

  override def trace(request: TraceRequest, to: StreamObserver[TraceResponse]): Unit =
    answer(to)(watches.trace(item => to.onNext(item.build)))

  override def teardown(request: TeardownRequest, to: StreamObserver[TeardownResponse]): Unit =
    answer(to)(to.onNext(TeardownResponse.newBuilder.setReceipt(iteration.teardown()).build))

  private def answer(to: StreamObserver[_])(body: => Unit): Unit =
    try {
      body
      to.onCompleted()
    } catch {
      case NonFatal(reason) =>
        to.onError(Status.INTERNAL.withDescription(reason.getMessage).asRuntimeException)
    }
}
