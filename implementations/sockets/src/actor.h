// Actors: threads, each with its own ends of sockets.
#ifndef ACTOR_H
#define ACTOR_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "control/log.h"
#include "message.h"

struct actor {
  uint64_t name;
  struct log *log;             // NULL if nobody watches.
  void (*run)(struct actor *); // Returns when the actor ends.
  void *state;
  pthread_t thread;
  pid_t process; // Of an actor that is one, and no thread; else 0.
  bool ended;    // As control knows it.
  int status;    // Of a process that has ended, as `waitpid` has it.
};

// As the handshake tells it.
extern const char *actors_are;

void actor_start(struct actor *actor);

// The one way in which a message is taken (IMPL-11).
static inline void actor_took(const struct actor *actor, const struct header *header) {
  if (actor->log != NULL)
    log_take(actor->log, header);
}

// Waits until all have ended, or until their number has not changed for a second. How many have
// not: by pthreads, which knows the threads that can be joined, and by the kernel, of processes.
uint32_t actors_wait(struct actor *actors, uint32_t count);

// One whose process has ended as none should, and has told nobody; or NULL.
const struct actor *actors_lost(struct actor *actors, uint32_t count);

// Ends the actor that calls it, and tells control why (CTRL-10). Outside of an actor it ends the
// process.
_Noreturn void fail(const char *what, const char *why);

#endif
