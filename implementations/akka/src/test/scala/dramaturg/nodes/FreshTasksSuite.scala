package dramaturg.nodes

import akka.actor.ActorSystem
import akka.actor.typed.scaladsl.Behaviors
import akka.actor.typed.scaladsl.adapter._
import com.typesafe.config.ConfigFactory
import munit.FunSuite

import java.util.concurrent._
import scala.concurrent.duration._
import scala.concurrent.{Await, Future}

class FreshTasksSuite extends FunSuite {
  private lazy val system = new Systems().get(Map.empty)._1

  override def afterAll(): Unit = Await.result(system.terminate(), 10.seconds): Unit

  for (dispatcher <- Seq("akka.actor.default-dispatcher", "akka.actor.internal-dispatcher"))
    test(s"$dispatcher: what is a task already is another one each time") {
      val asked = Future {
        Thread.currentThread.asInstanceOf[ForkJoinWorkerThread].getPool
      }(system.dispatchers.lookup(dispatcher))
      val pool = Await.result(asked, 10.seconds)
      val ran = new CountDownLatch(100)
      val mailbox = new Mailbox(ran)
      for (_ <- 0 until 100) pool.execute(mailbox: Runnable)
      assert(ran.await(10, TimeUnit.SECONDS))
    }

  test("a timer is heard while the only thread always has something to do") {
    val one = ConfigFactory
      .parseString("akka.actor.default-dispatcher.fork-join-executor.parallelism-max = 1")
      .withFallback(ConfigFactory.load())
    val system = ActorSystem("one-thread", one)
    val heard = new CountDownLatch(1)
    val busy = system.spawnAnonymous(Behaviors.setup[Boolean] { context =>
      context.scheduleOnce(50.millis, context.self, true)
      context.self ! false
      Behaviors.receiveMessage { isTick =>
        if (isTick) heard.countDown() else context.self ! false
        Behaviors.same
      }
    })
    try assert(heard.await(10, TimeUnit.SECONDS))
    finally {
      system.stop(busy.toClassic)
      Await.result(system.terminate(), 10.seconds): Unit
    }
  }

  test("what fails is told to the thread's handler, and the next task runs") {
    val told = new CountDownLatch(1)
    val threads: ForkJoinPool.ForkJoinWorkerThreadFactory = pool => {
      val thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool)
      thread.setUncaughtExceptionHandler((_, _) => told.countDown())
      thread
    }
    val pool = new FreshTasks.Pool(1, threads)
    pool.execute((() => throw new IllegalStateException("on purpose")): Runnable)
    assert(told.await(10, TimeUnit.SECONDS))
    val ran = new CountDownLatch(1)
    pool.execute((() => ran.countDown()): Runnable)
    assert(ran.await(10, TimeUnit.SECONDS))
    pool.shutdown()
  }

  /** As Akka's: a task that can be run. The pool is not to know that it is one. */
  private final class Mailbox(ran: CountDownLatch) extends ForkJoinTask[Unit] with Runnable {
    override def getRawResult: Unit = ()
    override protected def setRawResult(nothing: Unit): Unit = ()
    override protected def exec(): Boolean = false
    override def run(): Unit = ran.countDown()
  }
}
