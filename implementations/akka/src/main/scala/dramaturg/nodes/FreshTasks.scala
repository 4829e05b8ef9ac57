package dramaturg.nodes

import akka.dispatch._
import com.typesafe.config.Config

import java.util.concurrent._

/** Akka's fork-join executor, in which whatever is executed is a task of its own each time.
  *
  * A mailbox of Akka's is a task of the pool, the same one whenever it is scheduled. A thread that
  * steals looks at what comes next in another's queue, and takes it if the same object is still
  * there. If it is kept waiting in between, the queue may have gone round and the same mailbox lie
  * there once more: the thread takes it and sets the queue back by a whole round. Its owner then
  * waits for ever for a task that was done long ago, on a core of its own, and nobody runs any more.
  *
  * And a thread of the pool whose own queue is never empty never looks at what others than actors
  * have submitted: where all threads are so busy, what a timer has for an actor does not come. Here
  * each looks every so often.
  */
final class FreshTasks(config: Config, prerequisites: DispatcherPrerequisites)
    extends ExecutorServiceConfigurator(config, prerequisites) {

  override def createExecutorServiceFactory(
      id: String,
      threadFactory: ThreadFactory
  ): ExecutorServiceFactory = {
    val akkas = threadFactory.asInstanceOf[MonitorableThreadFactory]
    val threads = akkas.withName(s"${akkas.name}-$id")
    val sizes = config.getConfig("fork-join-executor")
    val parallelism = ThreadPoolConfig.scaledPoolSize(
      sizes.getInt("parallelism-min"),
      sizes.getDouble("parallelism-factor"),
      sizes.getInt("parallelism-max")
    )
    new ExecutorServiceFactory {
      override def createExecutorService: ExecutorService =
        new FreshTasks.Pool(parallelism, threads)
    }
  }
}

object FreshTasks {

  /** First in, first out, as Akka's is by default. */
  final class Pool(parallelism: Int, threads: ForkJoinPool.ForkJoinWorkerThreadFactory)
      extends ForkJoinPool(parallelism, threads, MonitorableThreadFactory.doNothing, true) {
    override def execute(what: Runnable): Unit = execute(new Task(what))
  }

  /** One task in so many looks for what was submitted: some thousand messages are taken between. If
    * one in 32 did, message-bound ChatApp took a fifth longer.
    */
  private val Looks = 512

  private final class Task(what: Runnable) extends ForkJoinTask[Unit] {
    override def getRawResult: Unit = ()
    override protected def setRawResult(nothing: Unit): Unit = ()

    /** Whatever goes wrong in a mailbox, Akka has dealt with but for what ends a thread. Nobody
      * waits for the task, so it need not be marked as done.
      */
    override protected def exec(): Boolean = {
      // By lot, since a count that threads share would cost them more than the look.
      if (ThreadLocalRandom.current.nextInt(Looks) == 0) takeIn()
      try what.run()
      catch {
        case _: InterruptedException => Thread.currentThread.interrupt()
        case failure: Throwable      =>
          val thread = Thread.currentThread
          Option(thread.getUncaughtExceptionHandler).foreach(_.uncaughtException(thread, failure))
          throw failure
      }
      false
    }

    /** Puts one task that was submitted from outside behind those that this thread has. */
    private def takeIn(): Unit = {
      val submitted = ForkJoinTask.pollSubmission()
      if (submitted ne null) submitted.fork(): Unit
    }
  }
}
