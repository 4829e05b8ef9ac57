// The lines that control writes (spec/stdio.md). Any thread may write one.
#ifndef ANSWERS_H
#define ANSWERS_H

#include <jansson.h>

#include "control/world.h"

// Takes the reference.
void answer_reply(json_int_t id, json_t *reply);
void answer_end(json_int_t id);
void answer_error(json_int_t id, uint64_t name, const char *reason);
// What was logged and not delivered yet, of all who are watched.
void answer_trace(json_int_t id, const struct world *world);

#endif
