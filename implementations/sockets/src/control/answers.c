#include "control/answers.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

#include "names.h"

enum { MOST_ROWS = 65536 };

static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;

// Takes the reference.
static void write_line(json_t *line) {
  pthread_mutex_lock(&output);
  json_dumpf(line, stdout, JSON_COMPACT);
  putchar('\n');
  fflush(stdout);
  pthread_mutex_unlock(&output);
  json_decref(line);
}

void answer_reply(json_int_t id, json_t *reply) {
  write_line(json_pack("{s:I, s:o}", "id", id, "reply", reply));
}

void answer_end(json_int_t id) { write_line(json_pack("{s:I, s:b}", "id", id, "end", 1)); }

void answer_error(json_int_t id, uint64_t name, const char *reason) {
  write_line(json_pack(
      "{s:I, s:o}", "id", id, "error",
      json_sprintf("%s/%" PRIu32 " failed: %s", label_of(class_of(name)), index_of(name), reason)));
}

static void write_item(json_int_t id, const char *kind, json_t *item) {
  write_line(json_pack("{s:I, s:{s:o}}", "id", id, "item", kind, item));
}

struct batch {
  json_t *actor;
  json_t *sender;
  json_t *kind;
  json_t *arguments;
};

static void begin(struct batch *batch) {
  *batch = (struct batch){json_array(), json_array(), json_array(), json_array()};
}

static void append(json_t *array, uint64_t value) {
  json_array_append_new(array, json_integer((json_int_t)value));
}

static void add(struct batch *batch, uint64_t actor, const struct event *event) {
  append(batch->actor, actor);
  append(batch->sender, event->from);
  append(batch->kind, event->kind);
  for (unsigned i = 0; i < arity_of((enum message_kind)event->kind); ++i)
    append(batch->arguments, event->arguments[i]);
}

static void deliver(json_int_t id, struct batch *batch) {
  write_item(id, "batch",
             json_pack("{s:o, s:o, s:o, s:o}", "actor", batch->actor, "sender", batch->sender,
                       "kind", batch->kind, "args", batch->arguments));
}

void answer_trace(json_int_t id, const struct world *world) {
  json_int_t events = 0;
  json_int_t watched = 0;
  json_t *named = json_array();
  json_t *taken = json_array();
  struct batch batch;
  begin(&batch);
  uint32_t place = 0;
  for (const struct actor *actor; (actor = world_watched(world, &place)) != NULL; ++watched) {
    // More may come meanwhile: count and events are those of one moment.
    const uint64_t count = log_taken(actor->log);
    append(named, actor->name);
    append(taken, count);
    for (const struct event *event; (event = log_next(actor->log, count)) != NULL; ++events) {
      if (json_array_size(batch.actor) == MOST_ROWS) {
        deliver(id, &batch);
        begin(&batch);
      }
      add(&batch, actor->name, event);
    }
  }
  deliver(id, &batch);
  write_item(id, "counts", json_pack("{s:o, s:o}", "actor", named, "taken", taken));
  write_item(id, "footer", json_pack("{s:I, s:I}", "events", events, "watched", watched));
  answer_end(id);
}
