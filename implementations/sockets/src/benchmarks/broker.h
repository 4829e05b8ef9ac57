// The actors of spec/broker.md, in the order of the model.
#ifndef BROKER_H
#define BROKER_H

#include <stdint.h>

#include "actor.h"
#include "ends.h"

struct employer {
  struct employer_end *end;
  uint32_t employees;
  uint32_t tasks;
  uint32_t size;
};

struct router {
  struct router_end *end;
  uint32_t employees;
};

struct employee {
  struct employee_end *end;
};

void employer_run(struct actor *self);
void router_run(struct actor *self);
void employee_run(struct actor *self);

#endif
