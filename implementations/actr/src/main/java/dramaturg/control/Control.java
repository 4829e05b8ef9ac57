package dramaturg.control;

import dramaturg.benchmarks.Benchmarks;
import dramaturg.runtime.ActorGroup;
import dramaturg.runtime.ActorSystem;
import dramaturg.v2.ControlGrpc.ControlImplBase;
import dramaturg.v2.ControlOuterClass.ActRequest;
import dramaturg.v2.ControlOuterClass.ActResponse;
import dramaturg.v2.ControlOuterClass.DescribeRequest;
import dramaturg.v2.ControlOuterClass.DescribeResponse;
import dramaturg.v2.ControlOuterClass.Mark;
import dramaturg.v2.ControlOuterClass.PrepareRequest;
import dramaturg.v2.ControlOuterClass.PrepareResponse;
import dramaturg.v2.ControlOuterClass.RunRequest;
import dramaturg.v2.ControlOuterClass.RunResponse;
import dramaturg.v2.ControlOuterClass.TeardownRequest;
import dramaturg.v2.ControlOuterClass.TeardownResponse;
import dramaturg.v2.ControlOuterClass.TraceRequest;
import dramaturg.v2.ControlOuterClass.TraceResponse;
import dramaturg.v2.ControlOuterClass.TurnRequest;
import dramaturg.v2.ControlOuterClass.TurnResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;

/**
 * The control port (spec/control.md). Each call has a thread of its own, and one is under way at a
 * time; only Trace may come beside another.
 */
final class Control extends ControlImplBase {
  private final ActorSystem system = new ActorSystem(Runtime.getRuntime().availableProcessors());
  private volatile Watches watches = new Watches(List.of());
  private volatile Iteration iteration;

  @Override
  public void describe(DescribeRequest request, StreamObserver<DescribeResponse> stream) {
    answer(stream, () -> stream.onNext(Describe.answer(request, system)));
  }

  @Override
  public void prepare(PrepareRequest request, StreamObserver<PrepareResponse> stream) {
    long begun = System.nanoTime();
    answer(
        stream,
        () -> {
          watches = new Watches(request.getWatchesList());
          var benchmark = Benchmarks.of(request.getBenchmark());
          iteration = new Iteration(benchmark, new World(new ActorGroup(system), watches));
          iteration.say(new Call.Prepare());
          long nanos = System.nanoTime() - begun;
          stream.onNext(PrepareResponse.newBuilder().setSetupNanos(nanos).build());
        });
  }

  @Override
  public void act(ActRequest request, StreamObserver<ActResponse> stream) {
    answer(
        stream,
        () -> {
          iteration.say(new Call.Act(request));
          stream.onNext(ActResponse.getDefaultInstance());
        });
  }

  @Override
  public void turn(TurnRequest request, StreamObserver<TurnResponse> stream) {
    answer(
        stream,
        () -> {
          iteration.say(new Call.Turn());
          stream.onNext(TurnResponse.getDefaultInstance());
        });
  }

  @Override
  public void run(RunRequest request, StreamObserver<RunResponse> stream) {
    answer(stream, () -> iteration.run(request.getSalt(), done -> stream.onNext(mark(done))));
  }

  private static RunResponse mark(int done) {
    return RunResponse.newBuilder().setMark(Mark.newBuilder().setDone(done)).build();
  }

  @Override
  public void trace(TraceRequest request, StreamObserver<TraceResponse> stream) {
    answer(stream, () -> watches.trace(stream::onNext));
  }

  @Override
  public void teardown(TeardownRequest request, StreamObserver<TeardownResponse> stream) {
    answer(
        stream,
        () -> {
          var receipt = iteration.teardown();
          stream.onNext(TeardownResponse.newBuilder().setReceipt(receipt).build());
        });
  }

  /** That an actor has failed is the one error that there is (CTRL-10). */
  private static void answer(StreamObserver<?> stream, Body body) {
    try {
      body.run();
      stream.onCompleted();
    } catch (ActorFailure reason) {
      stream.onError(Status.INTERNAL.withDescription(reason.getMessage()).asRuntimeException());
    } catch (Exception | Error reason) {
      reason.printStackTrace();
      stream.onError(Status.INTERNAL.withDescription(reason.toString()).asRuntimeException());
    }
  }

  private interface Body {
    void run() throws Exception;
  }
}
