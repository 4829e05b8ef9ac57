// Watches, and the logs of those who are watched (spec/actors.md, "Traces").
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "message.h"

enum { MOST_WATCHES = 16 };

// A row of `Prepare`.
struct watch {
  uint32_t class;
  uint32_t modulus;
  uint32_t remainder;
  uint32_t first;
  uint32_t last;
  uint32_t from;
  uint32_t events;
};

struct event {
  uint64_t from;
  uint64_t arguments[MOST_ARGUMENTS];
  uint32_t kind;
};

struct log;

// The log of an actor of this name, or NULL if nobody watches it.
struct log *log_of(uint64_t name, const struct watch *watches, uint32_t count);
// The same in a file that another process opens, with room for so many events; `file` is -1 and the
// log NULL if nobody watches.
struct log *log_shared(uint64_t name, const struct watch *watches, uint32_t count, uint64_t most,
                       int *file);
struct log *log_opened(int file);
// Whether the next message that the actor takes is logged.
bool log_wants(const struct log *log);
// By the actor itself, before it acts on the message.
void log_take(struct log *log, const struct header *header);
// By control, also meanwhile: how many messages were taken, and of those the next event that was
// not asked for yet, or NULL.
uint64_t log_taken(const struct log *log);
const struct event *log_next(struct log *log, uint64_t taken);
void log_free(struct log *log);

#endif
