package dramaturg.control

import com.typesafe.config.ConfigFactory
import dramaturg.v2.ControlOuterClass.Probe.ProbeCase._
import dramaturg.v2.ControlOuterClass.{DescribeRequest, DescribeResponse, Probe, ProbeAnswer}
import dramaturg.{Digest, Fibonacci, Lcg}

import java.lang.management.ManagementFactory
import scala.jdk.CollectionConverters._
import scala.util.Properties

/** Which runtime this is, and the answers to questions of arithmetic. */
object Describe {
  def apply(request: DescribeRequest): DescribeResponse =
    DescribeResponse.newBuilder
      .setRuntime("Akka Typed")
      .setRuntimeVersion(akka.Version.current)
      .setSchedulers(Runtime.getRuntime.availableProcessors)
      .putAllDetails(details.asJava)
      .addAllAnswers(request.getProbesList.asScala.map(answer).asJava)
      .build

  private def details: Map[String, String] = Map(
    "jvm" -> s"${Properties.javaVmName} ${Properties.javaVmVersion}",
    "jvm.arguments" -> ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.mkString(" "),
    "gc" -> ManagementFactory.getGarbageCollectorMXBeans.asScala.map(_.getName).mkString(", "),
    "scala" -> Properties.versionNumberString,
    "throughput" -> ConfigFactory.load().getString("akka.actor.default-dispatcher.throughput")
  )

  private def answer(probe: Probe): ProbeAnswer = {
    val answer = ProbeAnswer.newBuilder
    probe.getProbeCase match {
      case LCG =>
        val lcg = new Lcg(probe.getLcg.getSeed)
        probe.getLcg.getModuliList.forEach(m => answer.addValues(lcg.nextInt(m).toLong): Unit)
      case SHUFFLE =>
        val lcg = new Lcg(probe.getShuffle.getSeed)
        val items = Array.range(0, probe.getShuffle.getLength)
        lcg.shuffle(items)
        items.foreach(item => answer.addValues(item.toLong))
        answer.addValues(lcg.state.toLong)
      case FIBONACCI => answer.addValues(Fibonacci(probe.getFibonacci.getN))
      case _         =>
        val numbers = probe.getFold.getNumbersList.asScala.map(_.intValue).toArray
        answer.addValues(Digest.of(new Digest(probe.getFold.getSalt), numbers).toLong)
    }
    answer.build
  }
}
