// The actors of spec/broker.md, in the order of the model.
#ifndef BROKER_H
#define BROKER_H

#include <stdbool.h>
#include <stdint.h>

#include "actor.h"
#include "ends.h"

struct employer {
  struct employer_end *end;
  uint32_t employees;
  uint32_t tasks;
  uint32_t size;
  bool device; // Stands where the router should be, and looks into nothing.
};

struct router {
  struct router_end *end;
  uint32_t employees;
};

struct employee {
  struct employee_end *end;
  bool device;
};

void employer_run(struct actor *self);
void router_run(struct actor *self);
// In the router's place: neither logs nor ends by itself, and so is no router (BROKER-2).
void device_run(struct actor *self);
void employee_run(struct actor *self);

#endif
