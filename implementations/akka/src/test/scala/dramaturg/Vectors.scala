package dramaturg

import com.google.gson.{JsonElement, JsonObject, JsonParser}
import dramaturg.control.Describe
import dramaturg.v2.ControlOuterClass.{DescribeRequest, Probe}
import munit.FunSuite

import java.io.InputStreamReader
import java.nio.charset.StandardCharsets.UTF_8
import scala.jdk.CollectionConverters._
import scala.util.Using

/** Questions of level 0, with the answers of `vectors.json`. */
trait Vectors extends FunSuite {
  private val vectors: JsonObject =
    Using.resource(new InputStreamReader(getClass.getResourceAsStream("/vectors.json"), UTF_8))(
      JsonParser.parseReader(_).getAsJsonObject
    )

  protected def longs(numbers: JsonElement): Seq[Long] =
    numbers.getAsJsonArray.asScala.map(_.getAsLong).toSeq

  protected def ints(numbers: JsonElement): java.util.List[Integer] =
    longs(numbers).map(number => Int.box(number.toInt)).asJava

  protected def int(vector: JsonObject, name: String): Int = vector.get(name).getAsLong.toInt

  protected def answer(probe: Probe): Seq[Long] =
    Describe(DescribeRequest.newBuilder.addProbes(probe).build)
      .getAnswers(0)
      .getValuesList
      .asScala
      .map(_.longValue)
      .toSeq

  protected def each(topic: String, which: JsonObject => Boolean = _ => true)(
      check: JsonObject => Unit
  ): Unit =
    for (vector <- vectors.getAsJsonArray(topic).asScala.map(_.getAsJsonObject).filter(which))
      test(s"$topic of $vector".take(LongestName))(check(vector))

  private lazy val LongestName = 80
}
