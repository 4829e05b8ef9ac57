package dramaturg;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Questions of arithmetic with their answers, from the file that {@code DRAMATURG_VECTORS} names.
 */
final class Vectors {
  private Vectors() {}

  static Stream<JsonObject> of(String topic) {
    try (var file =
        new InputStreamReader(Vectors.class.getResourceAsStream("/vectors.json"), UTF_8)) {
      var all = JsonParser.parseReader(file).getAsJsonObject();
      return stream(all.getAsJsonArray(topic)).map(JsonElement::getAsJsonObject);
    } catch (IOException reason) {
      throw new UncheckedIOException(reason);
    }
  }

  static List<Long> longs(JsonElement numbers) {
    return stream(numbers.getAsJsonArray()).map(JsonElement::getAsLong).toList();
  }

  private static Stream<JsonElement> stream(JsonArray elements) {
    return StreamSupport.stream(elements.spliterator(), false);
  }
}
