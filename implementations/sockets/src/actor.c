#include "actor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "control/report.h"

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

static uint32_t join_those_that_ended(struct actor *actors, uint32_t count) {
  uint32_t joined = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (!actors[i].ended && pthread_tryjoin_np(actors[i].thread, NULL) == 0) {
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
      if (pthread_clockjoin_np(actors[i].thread, NULL, CLOCK_MONOTONIC, &deadline) == 0) {
        actors[i].ended = true;
        --alive;
      } else {
        const uint32_t joined = join_those_that_ended(actors, count);
        if (joined == 0)
          return alive;
        alive -= joined;
      }
      deadline = in_a_second();
    }
  }
  return alive;
}

void fail(const char *what, const char *why) {
  if (current == NULL) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
  }
  report_failure(current->name, what, why);
  pthread_exit(NULL);
}
