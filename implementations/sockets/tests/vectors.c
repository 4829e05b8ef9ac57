// The questions of level 0, with the answers of the file that the command line names.
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "benchmarks/fold.h"
#include "benchmarks/payload.h"
#include "control/describe.h"

// What takes more calls is left to level 0.
enum { MOST_CALLS = 10000000 };

// Of the library that is asked for its version.
const char *const library_name = "none";
void library_version(char *version, size_t size) { snprintf(version, size, "0"); }

static int asked;
static int wrong;

static void hold(const char *what, json_t *question, json_t *expected, json_t *answer) {
  ++asked;
  if (!json_equal(expected, answer)) {
    ++wrong;
    printf("%s: %s: %s\n", what, json_dumps(question, 0), json_dumps(answer, 0));
  }
}

static void ask(const char *what, json_t *question, json_t *expected) {
  json_t *said = describe(json_pack("{s:[{s:O}]}", "probes", what, question));
  json_t *answer = json_array_get(json_object_get(said, "answers"), 0);
  hold(what, question, expected, json_object_get(answer, "values"));
}

// The list and the state, or the one number, as a probe is answered.
static json_t *expected_of(json_t *vector, const char *one, const char *then) {
  json_t *values = json_object_get(vector, "values");
  json_t *expected = values == NULL ? json_array() : json_copy(values);
  if (one != NULL)
    json_array_append(expected, json_object_get(vector, one));
  if (then != NULL)
    json_array_append(expected, json_object_get(vector, then));
  return expected;
}

static void check_checksum(json_t *vector) {
  unsigned char bytes[256];
  json_t *numbers = json_object_get(vector, "numbers");
  size_t size = 0;
  size_t i;
  json_t *each;
  json_array_foreach (numbers, i, each) {
    if (json_integer_value(each) > 255 || i == sizeof bytes)
      return; // Payloads are of bytes.
    bytes[size++] = (unsigned char)json_integer_value(each);
  }
  const uint32_t start = (uint32_t)json_integer_value(json_object_get(vector, "start"));
  hold("checksum", vector, json_object_get(vector, "checksum"),
       json_integer((json_int_t)checksum(start, bytes, size)));
}

static void check_task(json_t *vector) {
  unsigned char bytes[512];
  const uint32_t salt = (uint32_t)json_integer_value(json_object_get(vector, "salt"));
  const uint32_t number = (uint32_t)json_integer_value(json_object_get(vector, "number"));
  const uint32_t size = (uint32_t)json_integer_value(json_object_get(vector, "size"));
  if (size > sizeof bytes)
    return;
  make_payload(bytes, salt, number, size);
  hold("checksum of a task", vector, json_object_get(vector, "checksum"),
       json_integer((json_int_t)checksum(0, bytes, size)));
  hold("result of a task", vector, json_object_get(vector, "result"),
       json_integer((json_int_t)result_of(number, bytes, size)));
}

// The file has numbers of 64 bits, which jansson reads as reals only. Those that are asked for here
// are integers again.
static json_t *with_integers(json_t *value) {
  size_t i;
  const char *key;
  json_t *each;
  json_t *made = NULL;
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    made = json_object();
    json_object_foreach (value, key, each)
      json_object_set_new(made, key, with_integers(each));
    return made;
  case JSON_ARRAY:
    made = json_array();
    json_array_foreach (value, i, each)
      json_array_append_new(made, with_integers(each));
    return made;
  case JSON_REAL:
    return json_real_value(value) < 0x1p53 ? json_integer((json_int_t)json_real_value(value))
                                           : json_null();
  default:
    return json_incref(value);
  }
}

int main(int count, char **words) {
  json_error_t error = {.text = "no file"};
  json_t *vectors = count == 2 ? json_load_file(words[1], JSON_DECODE_INT_AS_REAL, &error) : NULL;
  if (vectors == NULL) {
    fprintf(stderr, "%s; usage: vectors FILE, such as spec/vectors.json\n", error.text);
    return 2;
  }
  vectors = with_integers(vectors);
  size_t i;
  json_t *vector;
  json_array_foreach (json_object_get(vectors, "lcg"), i, vector)
    ask("lcg", vector, expected_of(vector, NULL, NULL));
  json_array_foreach (json_object_get(vectors, "shuffle"), i, vector)
    ask("shuffle", vector, expected_of(vector, NULL, "state"));
  json_array_foreach (json_object_get(vectors, "fibonacci"), i, vector)
    if (json_integer_value(json_object_get(vector, "calls")) <= MOST_CALLS)
      ask("fibonacci", vector, expected_of(vector, "value", NULL));
  json_array_foreach (json_object_get(vectors, "fold"), i, vector)
    ask("fold", vector, expected_of(vector, "digest", NULL));
  json_array_foreach (json_object_get(vectors, "checksum"), i, vector)
    check_checksum(vector);
  json_array_foreach (json_object_get(vectors, "task"), i, vector)
    check_task(vector);
  printf("%d questions, %d answered wrongly\n", asked, wrong);
  return asked > 30 && wrong == 0 ? 0 : 1;
}
