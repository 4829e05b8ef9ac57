#include "control/world.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "addresses.h"
#include "benchmarks/broker.h"
#include "control/process.h"
#include "ends.h"
#include "names.h"

enum { BESIDE_EMPLOYEES = 2 };

struct world {
  struct addresses addresses;
  struct control_end *control;
  struct employer employer;
  struct router router;
  struct employee employees[MOST_EMPLOYEES];
  struct actor actors[BESIDE_EMPLOYEES + MOST_EMPLOYEES]; // The router is the last one.
  uint32_t count;                                         // Of actors.
};

static bool device;

void world_take_device(void) { device = true; }

bool world_has_device(void) { return device; }

static void enter(struct world *world, uint64_t name, void (*run)(struct actor *), void *state,
                  const struct watch *watches, uint32_t count) {
  world->actors[world->count++] =
      (struct actor){.name = name, .log = log_of(name, watches, count), .run = run, .state = state};
}

// Of what an employee takes there is one `go`, one `dismiss`, and at most every task.
static void start_processes(struct world *world, const struct parameters *parameters,
                            const struct watch *watches, uint32_t count) {
  const uint64_t most = (uint64_t)parameters->tasks + 2;
  for (uint32_t i = 0; i < parameters->employees; ++i) {
    struct actor *actor = &world->actors[world->count++];
    int file;
    actor->name = make_name(CLASS_EMPLOYEE, i);
    actor->log = log_shared(actor->name, watches, count, most, &file);
    actor->process = process_start(i, &world->addresses, file);
    if (file >= 0)
      close(file);
  }
  processes_await(parameters->employees);
}

// A library closes the connection to who sends more than it takes, and whoever waits waits on.
static void refuse_what_is_too_large(size_t payload) {
  const size_t bytes = library_own_bytes(device) + sizeof(struct header) + payload;
  const size_t most = library_most_bytes();
  char said[96];
  if (most == 0 || bytes <= most)
    return;
  snprintf(said, sizeof said, "a message has %zu bytes, and %s takes %zu here", bytes, library_name,
           most);
  fail("size", said);
}

struct world *world_make(const struct parameters *parameters, const struct watch *watches,
                         uint32_t count) {
  struct world *world = calloc(1, sizeof *world);
  if (world == NULL)
    fail("world", "no memory");
  refuse_what_is_too_large(parameters->size);
  const uint32_t employees = parameters->employees;
  struct addresses *addresses = &world->addresses;
  addresses_make(addresses, employees);

  // Whoever listens comes before whoever connects.
  world->router = (struct router){router_open(addresses, device), employees};
  world->employer = (struct employer){employer_open(addresses, employees, device), employees,
                                      parameters->tasks, parameters->size, device};
  world->control = control_open(addresses);
  for (uint32_t i = 0; i < employees; ++i)
    world->employees[i] =
        (struct employee){processes_taken() ? NULL : employee_open(addresses, i), device};
  if (processes_taken())
    start_processes(world, parameters, watches, count);
  // Connections are made here, and not in the run.
  router_await(world->router.end);
  employer_await(world->employer.end);

  enter(world, make_name(CLASS_EMPLOYER, 0), employer_run, &world->employer, watches, count);
  for (uint32_t i = 0; i < employees && !processes_taken(); ++i)
    enter(world, make_name(CLASS_EMPLOYEE, i), employee_run, &world->employees[i], watches, count);
  enter(world, make_name(CLASS_ROUTER, 0), device ? device_run : router_run, &world->router,
        watches, count);
  for (uint32_t i = 0; i < world->count; ++i) {
    if (world->actors[i].process == 0)
      actor_start(&world->actors[i]);
  }
  return world;
}

static void tell(struct world *world, enum message_kind kind, uint32_t argument) {
  const struct header header = {
      .from = make_name(CLASS_CONTROL, 0), .kind = kind, .arguments = {argument}};
  control_tell(world->control, &header);
}

void world_start(struct world *world, uint32_t salt) { tell(world, KIND_EMPLOYER_START, salt); }

// Not before all actors have ended: a library may lose what lies in a socket that is closed.
// Whoever has connected comes first: it would connect again, and nng was seen to wait without end
// when it is closed meanwhile.
static void close_ends(struct world *world) {
  for (uint32_t i = 0; i < world->employer.employees && !processes_taken(); ++i)
    employee_close(world->employees[i].end);
  control_close(world->control);
  employer_close(world->employer.end);
  router_close(world->router.end);
  addresses_forget(&world->addresses, world->employer.employees);
}

uint32_t world_disconnect(struct world *world) {
  tell(world, KIND_EMPLOYER_DISCONNECT, 0);
  // Nothing ends a device but control, once nobody is there who could need it.
  if (device && actors_wait(world->actors, world->count - 1) == 0)
    router_stop(world->router.end);
  const uint32_t alive = actors_wait(world->actors, world->count);
  if (alive == 0)
    close_ends(world);
  return alive;
}

bool world_lost(struct world *world, struct report *report) {
  const struct actor *lost = actors_lost(world->actors, world->count);
  if (lost == NULL)
    return false;
  *report = (struct report){.kind = REPORT_FAILED, .name = lost->name};
  if (WIFSIGNALED(lost->status))
    snprintf(report->reason, sizeof report->reason, "its process was ended by signal %d: %s",
             WTERMSIG(lost->status), strsignal(WTERMSIG(lost->status)));
  else
    snprintf(report->reason, sizeof report->reason, "its process ended with status %d",
             WEXITSTATUS(lost->status));
  return true;
}

const struct actor *world_watched(const struct world *world, uint32_t *place) {
  while (*place < world->count) {
    const struct actor *actor = &world->actors[(*place)++];
    if (actor->log != NULL)
      return actor;
  }
  return NULL;
}

void world_free(struct world *world) {
  if (world == NULL)
    return;
  bool lives_on = false;
  for (uint32_t i = 0; i < world->count; ++i) {
    const struct actor *actor = &world->actors[i];
    if (actor->ended)
      continue;
    if (actor->process == 0) {
      lives_on = true;
    } else {
      kill(actor->process, SIGKILL);
      waitpid(actor->process, NULL, 0);
    }
  }
  // A thread can only be left alone, with all that it may still touch.
  if (lives_on)
    return;
  for (uint32_t i = 0; i < world->count; ++i)
    log_free(world->actors[i].log);
  free(world);
}
