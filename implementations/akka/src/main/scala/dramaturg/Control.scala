package dramaturg

import dramaturg.v1.ControlGrpc.ControlImplBase
import dramaturg.v1.ControlOuterClass._
import io.grpc.stub.{ServerCallStreamObserver, StreamObserver}
import io.grpc.{Status, StatusRuntimeException}

import scala.util.control.NonFatal

/** The control port: hands calls to the session and gives back what comes of them. */
final class Control(session: Session, onShutdown: () => Unit) extends ControlImplBase {

  override def describe(request: DescribeRequest, to: StreamObserver[DescribeResponse]): Unit =
    answer(to)(Describe(request))

  override def prepare(request: PrepareRequest, to: StreamObserver[PrepareResponse]): Unit =
    answer(to)(session.prepare(request))

  override def act(request: ActRequest, to: StreamObserver[ActResponse]): Unit =
    answer(to)(session.act(request))

  override def turn(request: TurnRequest, to: StreamObserver[TurnResponse]): Unit =
    answer(to)(session.turn())

  override def run(request: RunRequest, to: StreamObserver[RunResponse]): Unit =
    guard(to) {
      session.run(request)(to.onNext)
      to.onCompleted()
    }

  override def trace(request: TraceRequest, to: StreamObserver[TraceResponse]): Unit =
    guard(to)(stream(session.trace(), to))

  override def teardown(request: TeardownRequest, to: StreamObserver[TeardownResponse]): Unit =
    answer(to)(session.teardown(request))

  override def shutdown(request: ShutdownRequest, to: StreamObserver[ShutdownResponse]): Unit = {
    answer(to)(ShutdownResponse.getDefaultInstance)
    onShutdown()
  }

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

  private def guard[A](to: StreamObserver[A])(body: => Unit): Unit = {
    // A caller whose deadline has passed hears nothing more; that is no error here.
    to.asInstanceOf[ServerCallStreamObserver[A]].setOnCancelHandler(() => ())
    try body
    catch {
      case refused: StatusRuntimeException => to.onError(refused)
      case abandoned: Abandoned => to.onError(failed(Status.CANCELLED, abandoned.getMessage))
      case failure: ActorFailed => to.onError(failed(Status.INTERNAL, failure.getMessage))
      case lost: NodeLost       => to.onError(failed(Status.INTERNAL, lost.getMessage))
      case NonFatal(other)      => to.onError(failed(Status.INTERNAL, other.toString))
    }
  }

  private def failed(status: Status, message: String): StatusRuntimeException =
    status.withDescription(message).asRuntimeException
}
