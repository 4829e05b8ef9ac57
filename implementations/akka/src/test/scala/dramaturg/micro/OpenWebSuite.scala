package dramaturg.micro

import akka.actor.ActorSystem
import com.typesafe.config.ConfigFactory
import dramaturg.control.{Iteration, Watches, World}
import dramaturg.nodes.Place
import dramaturg.v2.Benchmarks.OpenWebParameters
import dramaturg.v2.ControlOuterClass.Probe
import dramaturg.{Benchmarks, Digest, Vectors}

import scala.concurrent.Await
import scala.concurrent.duration.Duration
import scala.jdk.CollectionConverters._

class OpenWebSuite extends Vectors {
  private val small = OpenWebParameters.newBuilder
    .setServers(2)
    .setRequests(2)
    .setGap(1000)
    .setSeed(42)
    .setFibN(6)
    .build

  private val system = FunFixture[ActorSystem](
    setup = _ => {
      val settings = new OpenWeb(small).settings.asJava
      ActorSystem("openweb", ConfigFactory.parseMap(settings).withFallback(ConfigFactory.load()))
    },
    teardown = system => Await.result(system.terminate(), Duration.Inf): Unit
  )

  // Its receipt has times, so the small run of the chapter is compared but for these.
  system.test("the small run has the receipt of the chapter") { system =>
    val parameters = dramaturg.v2.Benchmarks.Benchmark.newBuilder.setOpenweb(small).build
    val world = new World(new Watches(Nil), None)
    val place = Place(0, Vector.empty, "")
    val iteration = new Iteration(Benchmarks(parameters), system, place, world)
    iteration.prepare()
    iteration.run(new Digest(42))(_ => ())
    val receipt = iteration.teardown()
    val own = receipt.getDone
    assertEquals(receipt.getAlive, 0L)
    assertEquals(own.getArgumentsList.asScala.map(_.longValue).toSeq, Seq(2L, 2935558185L, 2L))
    assertEquals(own.getLatencyList.asScala.map(_.longValue).sum, 2L)
    assertEquals(own.getLatenessList.asScala.map(_.longValue).sum, 2L)
    // The second request is due after 2924682 ns.
    assert(receipt.getRunNanos >= 2924682L)
  }

  test("times are in the buckets of the chapter") {
    val nanos = Seq(0L, 255L, 256L, 257L, 258L, 1000L, 1_000_000_000L)
    assertEquals(nanos.map(OpenWeb.bucketOf), Seq(0, 255, 256, 256, 257, 506, 3054))
  }

  test("a histogram counts from when each was due, after the start of the run") {
    val counts = OpenWeb.histogram(Array(3, 0, 0), Array(110, 105, 107), 100)
    assertEquals(counts.toSeq, Seq[Long](0, 0, 0, 0, 0, 1, 0, 2))
  }

  each("latency") { vector =>
    val due = vector.get("due").getAsLong
    val (answered, buckets) = (longs(vector.get("answered")), longs(vector.get("buckets")))
    assertEquals(answered.map(nanos => OpenWeb.bucketOf(nanos - due).toLong), buckets)
    val latencies = Probe.Latencies.newBuilder.setDue(due)
    answered.foreach(latencies.addAnswered)
    val counts = (0L to buckets.max).map(bucket => buckets.count(_ == bucket).toLong)
    assertEquals(answer(Probe.newBuilder.setLatencies(latencies).build), counts)
  }

  test("a histogram of nothing has no buckets") {
    assertEquals(OpenWeb.histogram(Array.empty, Array.empty, 100).toSeq, Seq.empty[Long])
  }

  test("arrivals are those of the chapter") {
    val due = OpenWeb.arrivals(small.toBuilder.setRequests(3).build)
    assertEquals(due.toSeq, Seq(52008L, 2924682L, 3085009L))
  }
}
