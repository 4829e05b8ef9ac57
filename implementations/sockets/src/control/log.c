#include "control/log.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "actor.h"
#include "names.h"

// A log is a list of blocks. Its actor alone adds to it, and says afterwards how many messages it
// has taken; control reads as many and no more. So neither waits for the other.
enum { BLOCK = 1024 };

struct block {
  struct event events[BLOCK];
  struct block *next;
};

struct log {
  uint64_t from;
  uint64_t end; // The first message behind the slice.
  _Atomic uint64_t taken;
  struct block *first;
  struct block *last;    // The actor's.
  struct block *reading; // Control's.
  uint64_t written;      // The actor's.
  uint64_t delivered;    // Control's.
};

static struct block *new_block(void) {
  struct block *block = malloc(sizeof *block);
  if (block == NULL)
    fail("log", "no memory for more events");
  block->next = NULL;
  return block;
}

static const struct watch *watch_of(uint64_t name, const struct watch *watches, uint32_t count) {
  const uint32_t index = index_of(name);
  for (uint32_t i = 0; i < count; ++i) {
    const struct watch *watch = &watches[i];
    const int of_class = watch->class == 0 || watch->class == class_of(name);
    if (of_class && watch->first <= index && index <= watch->last
        && index % watch->modulus == watch->remainder)
      return watch;
  }
  return NULL;
}

struct log *log_of(uint64_t name, const struct watch *watches, uint32_t count) {
  const struct watch *watch = watch_of(name, watches, count);
  if (watch == NULL)
    return NULL;
  struct log *log = calloc(1, sizeof *log);
  if (log == NULL)
    fail("log", "no memory");
  log->from = watch->from;
  log->end = watch->events == UINT32_MAX ? UINT64_MAX : (uint64_t)watch->from + watch->events;
  log->first = log->last = log->reading = new_block();
  return log;
}

void log_take(struct log *log, const struct header *header) {
  const uint64_t number = atomic_load_explicit(&log->taken, memory_order_relaxed);
  if (log->from <= number && number < log->end) {
    if (log->written > 0 && log->written % BLOCK == 0)
      log->last = log->last->next = new_block();
    struct event *event = &log->last->events[log->written++ % BLOCK];
    event->from = header->from;
    event->kind = header->kind;
    for (int i = 0; i < 3; ++i)
      event->arguments[i] = header->arguments[i];
  }
  atomic_store_explicit(&log->taken, number + 1, memory_order_release);
}

// How many events are there, once so many messages were taken.
static uint64_t logged(const struct log *log, uint64_t taken) {
  const uint64_t end = taken < log->end ? taken : log->end;
  return end > log->from ? end - log->from : 0;
}

const struct event *log_next(struct log *log, uint64_t taken) {
  if (log->delivered == logged(log, taken))
    return NULL;
  if (log->delivered > 0 && log->delivered % BLOCK == 0)
    log->reading = log->reading->next;
  return &log->reading->events[log->delivered++ % BLOCK];
}

uint64_t log_taken(const struct log *log) {
  return atomic_load_explicit(&log->taken, memory_order_acquire);
}

void log_free(struct log *log) {
  if (log == NULL)
    return;
  for (struct block *block = log->first; block != NULL;) {
    struct block *next = block->next;
    free(block);
    block = next;
  }
  free(log);
}
