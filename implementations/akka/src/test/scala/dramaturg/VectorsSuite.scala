package dramaturg

import com.google.gson.{JsonElement, JsonObject, JsonParser}
import dramaturg.control.Describe
import dramaturg.v2.ControlOuterClass.{DescribeRequest, Probe}
import munit.FunSuite

import java.io.InputStreamReader
import java.nio.charset.StandardCharsets.UTF_8
import scala.jdk.CollectionConverters._
import scala.util.Using

/** The questions of level 0, with the answers of `vectors.json`. */
class VectorsSuite extends FunSuite {
  private val vectors: JsonObject =
    Using.resource(new InputStreamReader(getClass.getResourceAsStream("/vectors.json"), UTF_8))(
      JsonParser.parseReader(_).getAsJsonObject
    )

  private def longs(numbers: JsonElement): Seq[Long] =
    numbers.getAsJsonArray.asScala.map(_.getAsLong).toSeq

  private def ints(numbers: JsonElement): java.util.List[Integer] =
    longs(numbers).map(number => Int.box(number.toInt)).asJava

  private def answer(probe: Probe): Seq[Long] =
    Describe(DescribeRequest.newBuilder.addProbes(probe).build)
      .getAnswers(0)
      .getValuesList
      .asScala
      .map(_.longValue)
      .toSeq

  private def each(topic: String, which: JsonObject => Boolean = _ => true)(
      check: JsonObject => Unit
  ): Unit =
    for (vector <- vectors.getAsJsonArray(topic).asScala.map(_.getAsJsonObject).filter(which))
      test(s"$topic of $vector".take(LongestName))(check(vector))

  each("lcg") { vector =>
    val lcg = Probe.Lcg.newBuilder.setSeed(vector.get("seed").getAsInt)
    val probe = Probe.newBuilder.setLcg(lcg.addAllModuli(ints(vector.get("moduli")))).build
    assertEquals(answer(probe), longs(vector.get("values")))
  }

  each("shuffle") { vector =>
    val shuffle = Probe.Shuffle.newBuilder.setSeed(vector.get("seed").getAsInt)
    val probe = Probe.newBuilder.setShuffle(shuffle.setLength(vector.get("length").getAsInt)).build
    assertEquals(answer(probe), longs(vector.get("values")) :+ vector.get("state").getAsLong)
  }

  // What takes more is left to level 0.
  each("fibonacci", _.get("calls").getAsLong < MostCalls) { vector =>
    assertEquals(Fibonacci(vector.get("n").getAsInt), vector.get("value").getAsLong)
  }

  each("fold") { vector =>
    val fold = Probe.Fold.newBuilder.setSalt(vector.get("salt").getAsLong.toInt)
    val probe = Probe.newBuilder.setFold(fold.addAllNumbers(ints(vector.get("numbers")))).build
    assertEquals(answer(probe), Seq(vector.get("digest").getAsLong))
  }

  each("checksum") { vector =>
    val numbers = longs(vector.get("numbers")).map(_.toInt).toArray
    val start = new Digest(vector.get("start").getAsLong.toInt)
    assertEquals(Digest.checksum(start, numbers).toLong, vector.get("checksum").getAsLong)
  }

  each("payload") { vector =>
    val payload = vector.get("payload").getAsBigInteger.longValue
    assertEquals(Digest.ofPayload(payload).toLong, vector.get("digest").getAsLong)
  }

  private lazy val LongestName = 80
  private lazy val MostCalls = 10_000_000
}
