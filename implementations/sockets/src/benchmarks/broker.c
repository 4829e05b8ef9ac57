// Broker (spec/broker.md). Definitions stand in the order of the model.
#include "benchmarks/broker.h"

#include "benchmarks/fold.h"
#include "benchmarks/payload.h"
#include "control/report.h"
#include "control/stopwatch.h"
#include "names.h"

// The header of what this actor sends.
static struct header from(const struct actor *self, enum message_kind kind, uint64_t first,
                          uint64_t second, uint64_t third) {
  return (struct header){.from = self->name, .kind = kind, .arguments = {first, second, third}};
}

// A task is taken with what is not sent of it: its size, and where it is logged the checksum of its
// payload (BROKER-5).
static void took_task(const struct actor *self, struct message *task, int before) {
  task->header.arguments[before] = task->size;
  if (self->log != NULL && log_wants(self->log))
    task->header.arguments[before + 1] = checksum(0, task->payload, task->size);
}

static _Noreturn void unexpected(void) {
  fail("took", "a message of a kind that it does not know");
}

// What the router makes of a message. A device leaves it as it is, so who sends through one does
// this beforehand.
static struct header passed_on(const struct actor *self, const struct header *header) {
  const uint64_t *arguments = header->arguments;
  switch (header->kind) {
  case KIND_ROUTER_REQUEST:
    return from(self, KIND_EMPLOYER_REQUEST, index_of(header->from), arguments[0], arguments[1]);
  case KIND_ROUTER_TASK:
    return from(self, KIND_EMPLOYEE_TASK, arguments[1], 0, 0);
  case KIND_ROUTER_DISMISS:
    return from(self, KIND_EMPLOYEE_DISMISS, 0, 0, 0);
  default:
    unexpected();
  }
}

static void answer(const struct actor *self, uint32_t employee, struct message *message) {
  const struct employer *employer = self->state;
  if (employer->device)
    message->header = passed_on(self, &message->header);
  employer_answer(employer->end, employee, message);
}

// Answers each request with a task, as long as there are any (BROKER-1).
void employer_run(struct actor *self) {
  const struct employer *employer = self->state;
  struct employer_end *end = employer->end;
  uint32_t salt = 0;
  uint32_t given = 0;
  uint32_t waiting = 0;
  uint32_t sum = 0;
  uint64_t results = 0;
  for (;;) {
    struct message taken;
    employer_take(end, &taken);
    actor_took(self, &taken.header);
    const uint64_t *arguments = taken.header.arguments;
    switch (taken.header.kind) {
    case KIND_EMPLOYER_START: {
      salt = (uint32_t)arguments[0];
      const struct header go = from(self, KIND_EMPLOYEE_GO, 0, 0, 0);
      for (uint32_t employee = 0; employee < employer->employees; ++employee)
        employer_go(end, employee, &go);
      break;
    }
    case KIND_EMPLOYER_REQUEST: {
      const uint32_t employee = (uint32_t)arguments[0];
      if (arguments[1] > 0) {
        ++results;
        sum += (uint32_t)arguments[2];
      }
      if (given < employer->tasks) {
        struct message task;
        message_make(&task, employer->size);
        make_payload(task.payload, salt, given, employer->size);
        task.header = from(self, KIND_ROUTER_TASK, employee, given, 0);
        answer(self, employee, &task);
        ++given;
      } else if (++waiting == employer->employees) {
        report_done(now(), results, sum);
      }
      break;
    }
    case KIND_EMPLOYER_DISCONNECT:
      for (uint32_t employee = 0; employee < employer->employees; ++employee) {
        struct message dismiss;
        message_make(&dismiss, 0);
        dismiss.header = from(self, KIND_ROUTER_DISMISS, employee, 0, 0);
        answer(self, employee, &dismiss);
      }
      message_drop(&taken);
      return;
    default:
      unexpected();
    }
    message_drop(&taken);
  }
}

// Passes everything on (BROKER-2). A payload stays in the frame in which it came.
void router_run(struct actor *self) {
  const struct router *router = self->state;
  struct router_end *end = router->end;
  for (uint32_t dismissed = 0; dismissed < router->employees;) {
    struct message message;
    router_take(end, &message);
    if (message.header.kind == KIND_ROUTER_TASK)
      took_task(self, &message, 2);
    actor_took(self, &message.header);
    const struct header came = message.header;
    message.header = passed_on(self, &came);
    if (came.kind == KIND_ROUTER_REQUEST)
      router_forward(end, index_of(came.from), &message);
    else
      router_return(end, (uint32_t)came.arguments[0], &message);
    dismissed += came.kind == KIND_ROUTER_DISMISS;
  }
}

void device_run(struct actor *self) {
  const struct router *router = self->state;
  router_run_device(router->end);
}

// Reads every byte of each payload, and asks for the next (BROKER-3).
void employee_run(struct actor *self) {
  const struct employee *employee = self->state;
  struct employee_end *end = employee->end;
  uint64_t result = 0;
  uint32_t found = 0;
  struct message taken;
  employee_wait(end, &taken);
  for (;;) {
    if (taken.header.kind == KIND_EMPLOYEE_TASK)
      took_task(self, &taken, 1);
    actor_took(self, &taken.header);
    switch (taken.header.kind) {
    case KIND_EMPLOYEE_GO:
      break;
    case KIND_EMPLOYEE_TASK: {
      const uint32_t number = (uint32_t)taken.header.arguments[0];
      found = result_of(number, taken.payload, taken.size);
      result = (uint64_t)number + 1;
      break;
    }
    case KIND_EMPLOYEE_DISMISS:
      message_drop(&taken);
      return;
    default:
      unexpected();
    }
    message_drop(&taken);
    struct message request;
    message_make(&request, 0);
    request.header = from(self, KIND_ROUTER_REQUEST, result, found, 0);
    if (employee->device)
      request.header = passed_on(self, &request.header);
    employee_ask(end, &request);
    employee_take(end, &taken);
  }
}
