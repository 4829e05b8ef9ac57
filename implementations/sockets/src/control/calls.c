// The calls of the control port (spec/control.md), one line each (spec/stdio.md).
#include "control/calls.h"

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "control/answers.h"
#include "control/describe.h"
#include "control/report.h"
#include "control/stopwatch.h"
#include "control/world.h"

static struct world *world;

// Of the run of this world.
static struct {
  json_int_t id;
  pthread_t hearing; // Ends the call, while `trace` may come.
  uint64_t began;
  uint64_t nanos;
  uint64_t counts[2];
} run;

// Ends the run when the lead is done, or when an actor has failed. Whoever sends to one that is
// lost may fail of that, so who is lost is named before others.
static void *hear(void *unused) {
  enum { A_SECOND = 1000 };
  const struct timespec moment = {.tv_nsec = 100000000};
  struct report report;
  bool reported;
  bool lost;
  do {
    reported = report_next(&report, A_SECOND);
    // A process that is killed has closed its sockets a moment before it has ended.
    if (reported && report.kind == REPORT_FAILED)
      nanosleep(&moment, NULL);
    lost = world_lost(world, &report);
  } while (!reported && !lost);
  if (report.kind == REPORT_FAILED) {
    answer_error(run.id, report.name, report.reason);
  } else {
    run.nanos = report.nanos - run.began;
    memcpy(run.counts, report.counts, sizeof run.counts);
    answer_end(run.id);
  }
  return unused;
}

// In any other call.
static bool has_failed(struct report *report) {
  if (world_lost(world, report))
    return true;
  while (report_next(report, 0)) {
    if (report->kind == REPORT_FAILED)
      return true;
  }
  return false;
}

// With the reply, or with the failure of an actor in its place (CTRL-10).
static void answer(json_int_t id, json_t *reply) {
  struct report report;
  if (has_failed(&report)) {
    json_decref(reply);
    answer_error(id, report.name, report.reason);
  } else {
    answer_reply(id, reply);
  }
}

static uint32_t number(json_t *object, const char *key) {
  return (uint32_t)json_integer_value(json_object_get(object, key));
}

static uint32_t read_watches(json_t *rows, struct watch *watches) {
  size_t i;
  json_t *row;
  json_array_foreach (rows, i, row) {
    if (i == MOST_WATCHES)
      break;
    watches[i] = (struct watch){
        .class = number(row, "class"),
        .modulus = number(row, "modulus"),
        .remainder = number(row, "remainder"),
        .first = number(row, "first"),
        .last = number(row, "last"),
        .from = number(row, "from"),
        .events = number(row, "events"),
    };
  }
  return (uint32_t)i;
}

static void prepare(json_int_t id, json_t *request) {
  const uint64_t taken = now();
  world_free(world);
  json_t *broker = json_object_get(json_object_get(request, "benchmark"), "broker");
  const struct parameters parameters = {
      .employees = number(broker, "employees"),
      .tasks = number(broker, "tasks"),
      .size = number(broker, "size"),
  };
  struct watch watches[MOST_WATCHES];
  const uint32_t count = read_watches(json_object_get(request, "watches"), watches);
  world = world_make(&parameters, watches, count);
  answer(id, json_pack("{s:I}", "setup_nanos", (json_int_t)(now() - taken)));
}

static void start(json_int_t id, uint32_t salt) {
  run.id = id;
  run.began = now();
  world_start(world, salt);
  if (pthread_create(&run.hearing, NULL, hear, NULL) != 0)
    fail("control", "no thread");
}

static void teardown(json_int_t id) {
  const uint64_t taken = now();
  pthread_join(run.hearing, NULL);
  const uint32_t alive = world_disconnect(world);
  const uint64_t ended = now();
  answer(id, json_pack("{s:{s:{s:s, s:[I, I]}, s:I, s:I, s:I}}", "receipt", "done", "benchmark",
                       "broker", "arguments", (json_int_t)run.counts[0], (json_int_t)run.counts[1],
                       "run_nanos", (json_int_t)run.nanos, "teardown_nanos",
                       (json_int_t)(ended - taken), "alive", (json_int_t)alive));
}

static void serve(json_t *line) {
  const json_int_t id = json_integer_value(json_object_get(line, "id"));
  json_t *request = json_object_get(line, "request");
  const char *call = json_string_value(json_object_get(line, "call"));
  if (call == NULL) {
    fprintf(stderr, "control: a line without a call\n");
    return;
  }
  if (strcmp(call, "trace") == 0) {
    answer_trace(id, world);
    return;
  }
  if (strcmp(call, "describe") == 0) {
    answer_reply(id, describe(request));
  } else if (strcmp(call, "prepare") == 0) {
    prepare(id, request);
  } else if (strcmp(call, "run") == 0) {
    start(id, number(request, "salt"));
  } else if (strcmp(call, "teardown") == 0) {
    teardown(id);
  }
}

void calls_serve(void) {
  reports_start();
  char *text = NULL;
  size_t size = 0;
  while (getline(&text, &size, stdin) >= 0) {
    json_error_t error;
    json_t *line = json_loads(text, 0, &error);
    if (line == NULL)
      fprintf(stderr, "control: %s\n", error.text);
    else
      serve(line);
    json_decref(line);
  }
  free(text);
}
