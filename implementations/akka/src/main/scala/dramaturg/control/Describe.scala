package dramaturg.control

import dramaturg.v2.ControlOuterClass.Probe.ProbeCase._
import dramaturg.v2.ControlOuterClass.{DescribeRequest, DescribeResponse, Probe, ProbeAnswer}
import dramaturg.{Benchmarks, Digest, Fibonacci, Lcg}

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
      .putDetails("scala", Properties.versionNumberString)
      .putDetails("jvm", s"${Properties.javaVmName} ${Properties.javaVmVersion}")
      .putDetails("jvm.arguments", arguments.mkString(" "))
      .addAllAnswers(request.getProbesList.asScala.map(answer).asJava)
      .build

  private def arguments = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala

  private def answer(probe: Probe): ProbeAnswer = {
    val values: Seq[Long] = probe.getProbeCase match {
      case LCG =>
        val lcg = new Lcg(probe.getLcg.getSeed)
        probe.getLcg.getModuliList.asScala.map(lcg.nextInt(_).toLong).toSeq
      case SHUFFLE =>
        val lcg = new Lcg(probe.getShuffle.getSeed)
        val items = Array.tabulate(probe.getShuffle.getLength)(_.toLong)
        lcg.shuffle(items)
        items.toSeq :+ lcg.state.toLong
      case FIBONACCI => Seq(Fibonacci(probe.getFibonacci.getN))
      case FOLD      =>
        val salt = new Digest(probe.getFold.getSalt)
        Seq(probe.getFold.getNumbersList.asScala.foldLeft(salt)(_ fold _.intValue).toLong)
      case _ => Benchmarks.answer(probe)
    }
    ProbeAnswer.newBuilder.addAllValues(values.map(Long.box).asJava).build
  }
}
