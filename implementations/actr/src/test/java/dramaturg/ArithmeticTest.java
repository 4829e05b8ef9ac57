package dramaturg;

import static java.lang.Integer.toUnsignedLong;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArithmeticTest {
  static Stream<JsonObject> lcg() {
    return Vectors.of("lcg");
  }

  static Stream<JsonObject> shuffle() {
    return Vectors.of("shuffle");
  }

  static Stream<JsonObject> fibonacci() {
    // What takes more calls is left to level 0.
    return Vectors.of("fibonacci").filter(vector -> vector.get("calls").getAsLong() < 10_000_000);
  }

  static Stream<JsonObject> fold() {
    return Vectors.of("fold");
  }

  static Stream<JsonObject> checksum() {
    return Vectors.of("checksum");
  }

  static Stream<JsonObject> stream() {
    return Vectors.of("stream");
  }

  static Stream<JsonObject> payload() {
    return Vectors.of("payload");
  }

  @ParameterizedTest
  @MethodSource
  void lcg(JsonObject vector) {
    var lcg = new Lcg(vector.get("seed").getAsInt());
    var drawn =
        Vectors.longs(vector.get("moduli")).stream()
            .map(modulus -> (long) lcg.nextInt(modulus.intValue()))
            .toList();
    assertEquals(Vectors.longs(vector.get("values")), drawn);
  }

  @ParameterizedTest
  @MethodSource
  void shuffle(JsonObject vector) {
    var lcg = new Lcg(vector.get("seed").getAsInt());
    var items =
        new ArrayList<>(LongStream.range(0, vector.get("length").getAsLong()).boxed().toList());
    lcg.shuffle(items);
    assertEquals(Vectors.longs(vector.get("values")), items);
    assertEquals(vector.get("state").getAsInt(), lcg.state());
  }

  @ParameterizedTest
  @MethodSource
  void fibonacci(JsonObject vector) {
    assertEquals(vector.get("value").getAsLong(), Fibonacci.of(vector.get("n").getAsInt()));
  }

  @ParameterizedTest
  @MethodSource
  void fold(JsonObject vector) {
    int digest = vector.get("salt").getAsNumber().intValue();
    for (long number : Vectors.longs(vector.get("numbers"))) {
      digest = Digest.fold(digest, number);
    }
    assertEquals(vector.get("digest").getAsLong(), toUnsignedLong(digest));
  }

  @ParameterizedTest
  @MethodSource
  void checksum(JsonObject vector) {
    var numbers = Vectors.longs(vector.get("numbers")).stream().mapToInt(Long::intValue).toArray();
    int start = (int) vector.get("start").getAsLong();
    assertEquals(
        vector.get("checksum").getAsLong(), toUnsignedLong(Digest.checksum(start, numbers)));
  }

  @ParameterizedTest
  @MethodSource
  void stream(JsonObject vector) {
    var numbers = Vectors.longs(vector.get("numbers"));
    int[] drawn = Digest.stream((int) vector.get("key").getAsLong(), numbers.size());
    assertEquals(numbers, Arrays.stream(drawn).mapToObj(Integer::toUnsignedLong).toList());
  }

  @ParameterizedTest
  @MethodSource
  void payload(JsonObject vector) {
    long payload = vector.get("payload").getAsBigInteger().longValue();
    assertEquals(vector.get("digest").getAsLong(), toUnsignedLong(Digest.ofPayload(payload)));
  }
}
