#include "actor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "control/process.h"
#include "control/report.h"

const char *actors_are = "a thread each";

static _Thread_local const struct actor *current;

static void *run(void *argument) {
  struct actor *actor = argument;
  current = actor;
  actor->run(actor);
  return NULL;
}

void actor_start(struct actor *actor) {
  const int error = pthread_create(&actor->thread, NULL, run, actor);
  if (error != 0)
    fail("pthread_create", strerror(error));
  actor->ended = false;
}

static struct timespec in_a_second(void) {
  struct timespec deadline;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  deadline.tv_sec += 1;
  return deadline;
}

static uint32_t count_alive(const struct actor *actors, uint32_t count) {
  uint32_t alive = 0;
  for (uint32_t i = 0; i < count; ++i)
    alive += !actors[i].ended;
  return alive;
}

static bool has_ended(struct actor *actor) {
  if (actor->process != 0)
    return waitpid(actor->process, &actor->status, WNOHANG) == actor->process;
  return pthread_tryjoin_np(actor->thread, NULL) == 0;
}

static bool ended_by(struct actor *actor, const struct timespec *deadline) {
  if (actor->process == 0)
    return pthread_clockjoin_np(actor->thread, NULL, CLOCK_MONOTONIC, deadline) == 0;
  // To wait for a process there is no deadline.
  const struct timespec moment = {.tv_nsec = 1000000};
  struct timespec now;
  do {
    if (has_ended(actor))
      return true;
    nanosleep(&moment, NULL);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec < deadline->tv_sec
           || (now.tv_sec == deadline->tv_sec && now.tv_nsec < deadline->tv_nsec));
  return false;
}

static uint32_t join_those_that_ended(struct actor *actors, uint32_t count) {
  uint32_t joined = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (!actors[i].ended && has_ended(&actors[i])) {
      actors[i].ended = true;
      ++joined;
    }
  }
  return joined;
}

uint32_t actors_wait(struct actor *actors, uint32_t count) {
  join_those_that_ended(actors, count);
  uint32_t alive = count_alive(actors, count);
  struct timespec deadline = in_a_second();
  for (uint32_t i = 0; i < count && alive > 0; ++i) {
    while (!actors[i].ended) {
      if (ended_by(&actors[i], &deadline)) {
        actors[i].ended = true;
        --alive;
      } else {
        const uint32_t others = join_those_that_ended(actors, count);
        if (others == 0)
          return alive;
        alive -= others;
      }
      deadline = in_a_second();
    }
  }
  return alive;
}

const struct actor *actors_lost(struct actor *actors, uint32_t count) {
  join_those_that_ended(actors, count);
  for (uint32_t i = 0; i < count; ++i) {
    const int status = actors[i].status;
    if (status != 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == PROCESS_FAILED))
      return &actors[i];
  }
  return NULL;
}

void fail(const char *what, const char *why) {
  if (current == NULL) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
  }
  report_failure(current->name, what, why);
  pthread_exit(PTHREAD_CANCELED);
}
