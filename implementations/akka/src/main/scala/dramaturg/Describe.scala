package dramaturg

import com.typesafe.config.ConfigFactory
import dramaturg.v1.ControlOuterClass.{DescribeRequest, DescribeResponse, Probe, ProbeAnswer}

import java.lang.management.ManagementFactory
import scala.jdk.CollectionConverters._
import scala.util.Properties

/** Who this is, and the answers to questions of arithmetic. */
object Describe {
  def apply(request: DescribeRequest): DescribeResponse = {
    val probes = request.getProbesList.asScala
    probes.foreach(Checks.probe)
    DescribeResponse.newBuilder
      .setName("akka")
      .setRuntime("Akka Typed")
      .setRuntimeVersion(akka.Version.current)
      .addBenchmarks("chatapp")
      .addAllBenchmarks(Piece.Names.asJava)
      .addAllDistributed(Piece.Distributed.asJava)
      .setSchedulers(Runtime.getRuntime.availableProcessors)
      .setSpecVersion("1")
      .putAllDetails(details.asJava)
      .addAllAnswers(probes.map(answer).asJava)
      .build
  }

  private def details: Map[String, String] = {
    val dispatcher = ConfigFactory.load().getConfig("akka.actor.default-dispatcher")
    val collectors = ManagementFactory.getGarbageCollectorMXBeans.asScala.map(_.getName)
    Map(
      "jvm" -> s"${Properties.javaVmName} ${Properties.javaVmVersion}",
      "jvm.arguments" -> ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.mkString(" "),
      "gc" -> collectors.mkString(", "),
      "scala" -> Properties.versionNumberString,
      "dispatcher.throughput" -> dispatcher.getString("throughput")
    )
  }

  private def answer(probe: Probe): ProbeAnswer = {
    val values: Seq[Long] = probe.getProbeCase match {
      case Probe.ProbeCase.LCG =>
        val lcg = new Lcg(probe.getLcg.getSeed)
        probe.getLcg.getModuliList.asScala.map(lcg.nextInt(_).toLong).toSeq
      case Probe.ProbeCase.SHUFFLE =>
        val lcg = new Lcg(probe.getShuffle.getSeed)
        val items = Array.tabulate(probe.getShuffle.getLength)(_.toLong)
        lcg.shuffle(items)
        items.toSeq :+ lcg.state.toLong
      case _ => Seq(Fibonacci(probe.getFibonacci.getN))
    }
    ProbeAnswer.newBuilder.addAllValues(values.map(Long.box).asJava).build
  }
}
