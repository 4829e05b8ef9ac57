#include "control/log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actor.h"
#include "names.h"

// A log is a list of blocks. Its actor alone adds to it, and says afterwards how many messages it
// has taken; control reads as many and no more. So neither waits for the other.
enum { BLOCK = 1024 };

struct block {
  struct event events[BLOCK];
  struct block *next;
};

// In memory of two processes.
struct shared {
  uint64_t from;
  uint64_t end;
  _Atomic uint64_t taken;
  struct event events[];
};

struct log {
  uint64_t from;
  uint64_t end; // The first message behind the slice.
  _Atomic uint64_t *taken;
  _Atomic uint64_t own_taken;
  struct shared *shared; // Or NULL, and events are in blocks.
  size_t shared_bytes;
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

static struct log *new_log(uint64_t from, uint64_t end) {
  struct log *log = calloc(1, sizeof *log);
  if (log == NULL)
    fail("log", "no memory");
  log->from = from;
  log->end = end;
  log->taken = &log->own_taken;
  return log;
}

static uint64_t end_of(const struct watch *watch) {
  return watch->events == UINT32_MAX ? UINT64_MAX : (uint64_t)watch->from + watch->events;
}

struct log *log_of(uint64_t name, const struct watch *watches, uint32_t count) {
  const struct watch *watch = watch_of(name, watches, count);
  if (watch == NULL)
    return NULL;
  struct log *log = new_log(watch->from, end_of(watch));
  log->first = log->last = log->reading = new_block();
  return log;
}

static struct shared *map(int file, size_t bytes) {
  void *there = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (there == MAP_FAILED)
    fail("log", strerror(errno));
  return there;
}

static struct log *on(struct shared *shared, size_t bytes) {
  struct log *log = new_log(shared->from, shared->end);
  log->taken = &shared->taken;
  log->shared = shared;
  log->shared_bytes = bytes;
  return log;
}

struct log *log_shared(uint64_t name, const struct watch *watches, uint32_t count, uint64_t most,
                       int *file) {
  *file = -1;
  const struct watch *watch = watch_of(name, watches, count);
  if (watch == NULL)
    return NULL;
  // What is not written to takes no memory.
  const size_t bytes = sizeof(struct shared) + most * sizeof(struct event);
  *file = memfd_create("log", 0);
  if (*file < 0 || ftruncate(*file, (off_t)bytes) != 0)
    fail("log", strerror(errno));
  struct shared *shared = map(*file, bytes);
  shared->from = watch->from;
  shared->end = end_of(watch);
  return on(shared, bytes);
}

struct log *log_opened(int file) {
  struct stat status;
  if (fstat(file, &status) != 0)
    fail("log", strerror(errno));
  return on(map(file, (size_t)status.st_size), (size_t)status.st_size);
}

static struct event *next_place(struct log *log) {
  const uint64_t place = log->written++;
  if (log->shared != NULL)
    return &log->shared->events[place];
  if (place > 0 && place % BLOCK == 0)
    log->last = log->last->next = new_block();
  return &log->last->events[place % BLOCK];
}

bool log_wants(const struct log *log) {
  const uint64_t number = atomic_load_explicit(log->taken, memory_order_relaxed);
  return log->from <= number && number < log->end;
}

void log_take(struct log *log, const struct header *header) {
  const uint64_t number = atomic_load_explicit(log->taken, memory_order_relaxed);
  if (log_wants(log)) {
    struct event *event = next_place(log);
    event->from = header->from;
    event->kind = header->kind;
    for (int i = 0; i < MOST_ARGUMENTS; ++i)
      event->arguments[i] = header->arguments[i];
  }
  atomic_store_explicit(log->taken, number + 1, memory_order_release);
}

// How many events are there, once so many messages were taken.
static uint64_t logged(const struct log *log, uint64_t taken) {
  const uint64_t end = taken < log->end ? taken : log->end;
  return end > log->from ? end - log->from : 0;
}

const struct event *log_next(struct log *log, uint64_t taken) {
  if (log->delivered == logged(log, taken))
    return NULL;
  if (log->shared != NULL)
    return &log->shared->events[log->delivered++];
  if (log->delivered > 0 && log->delivered % BLOCK == 0)
    log->reading = log->reading->next;
  return &log->reading->events[log->delivered++ % BLOCK];
}

uint64_t log_taken(const struct log *log) {
  return atomic_load_explicit(log->taken, memory_order_acquire);
}

void log_free(struct log *log) {
  if (log == NULL)
    return;
  for (struct block *block = log->first; block != NULL;) {
    struct block *next = block->next;
    free(block);
    block = next;
  }
  if (log->shared != NULL)
    munmap(log->shared, log->shared_bytes);
  free(log);
}
