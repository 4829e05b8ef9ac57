// The world of one iteration: its sockets, its actors, its receipt.
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "actor.h"
#include "control/log.h"
#include "control/report.h"

struct parameters {
  uint32_t employees;
  uint32_t tasks;
  uint32_t size;
};

// From now on the library's own device is where the router should be.
void world_take_device(void);
bool world_has_device(void);

struct world;

struct world *world_make(const struct parameters *parameters, const struct watch *watches,
                         uint32_t count);
void world_start(struct world *world, uint32_t salt);
// Waits for the end of all actors; how many have not ended.
uint32_t world_disconnect(struct world *world);
// Whether an actor is gone that could not report why: a process that was killed, for one. Not while
// another thread waits for the end of actors.
bool world_lost(struct world *world, struct report *report);
// The logs of those who are watched, one after the other, or NULL: `place` begins with 0.
const struct actor *world_watched(const struct world *world, uint32_t *place);
void world_free(struct world *world);

#endif
