#include "control/describe.h"

#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

#include "actor.h"
#include "addresses.h"
#include "benchmarks/fibonacci.h"
#include "benchmarks/fold.h"
#include "benchmarks/lcg.h"
#include "benchmarks/payload.h"
#include "ends.h"

static uint32_t number(json_t *object, const char *key) {
  return (uint32_t)json_integer_value(json_object_get(object, key));
}

static void append(json_t *values, uint64_t value) {
  json_array_append_new(values, json_integer((json_int_t)value));
}

static void draw(json_t *values, json_t *asked) {
  struct lcg lcg = {number(asked, "seed")};
  size_t i;
  json_t *modulus;
  json_array_foreach (json_object_get(asked, "moduli"), i, modulus)
    append(values, lcg_next(&lcg, (uint32_t)json_integer_value(modulus)));
}

static void shuffle(json_t *values, json_t *asked) {
  struct lcg lcg = {number(asked, "seed")};
  const uint32_t length = number(asked, "length");
  uint32_t *list = malloc((length + (size_t)1) * sizeof *list);
  if (list == NULL)
    fail("shuffle", "no memory");
  for (uint32_t i = 0; i < length; ++i)
    list[i] = i;
  lcg_shuffle(&lcg, list, length);
  for (uint32_t i = 0; i < length; ++i)
    append(values, list[i]);
  append(values, lcg.state);
  free(list);
}

static void fold_all(json_t *values, json_t *asked) {
  uint32_t digest = number(asked, "salt");
  size_t i;
  json_t *each;
  json_array_foreach (json_object_get(asked, "numbers"), i, each)
    digest = fold(digest, (uint32_t)json_integer_value(each));
  append(values, digest);
}

static json_t *answer(json_t *probe) {
  json_t *values = json_array();
  json_t *asked;
  if ((asked = json_object_get(probe, "lcg")) != NULL)
    draw(values, asked);
  else if ((asked = json_object_get(probe, "shuffle")) != NULL)
    shuffle(values, asked);
  else if ((asked = json_object_get(probe, "fibonacci")) != NULL)
    append(values, fibonacci(number(asked, "n")));
  else if ((asked = json_object_get(probe, "payloads")) != NULL)
    append(values,
           sum_of_results(number(asked, "salt"), number(asked, "tasks"), number(asked, "size")));
  else
    fold_all(values, json_object_get(probe, "fold"));
  return json_pack("{s:o}", "values", values);
}

static int cores(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

json_t *describe(json_t *request) {
  char version[64];
  library_version(version, sizeof version);
  json_t *answers = json_array();
  size_t i;
  json_t *probe;
  json_array_foreach (json_object_get(request, "probes"), i, probe)
    json_array_append_new(answers, answer(probe));
  return json_pack("{s:s, s:s, s:i, s:{s:s, s:s, s:s}, s:o}", "runtime", library_name,
                   "runtime_version", version, "schedulers", cores(), "details", "transport",
                   addresses_transport(), "actors", actors_are, "compiler", __VERSION__, "answers",
                   answers);
}
