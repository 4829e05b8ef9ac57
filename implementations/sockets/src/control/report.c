#include "control/report.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(struct report) <= PIPE_BUF, "a report is written as a whole");

static int ends[2];

static _Noreturn void broken(void) {
  perror("reports");
  exit(1);
}

void reports_start(void) {
  if (pipe(ends) != 0)
    broken();
}

int report_file(void) { return ends[1]; }

void reports_join(int file) { ends[1] = file; }

static void send_report(const struct report *report) {
  while (write(ends[1], report, sizeof *report) < 0) {
    if (errno != EINTR)
      broken();
  }
}

void report_done(uint64_t nanos, uint64_t first, uint64_t second) {
  const struct report report = {.kind = REPORT_DONE, .nanos = nanos, .counts = {first, second}};
  send_report(&report);
}

void report_failure(uint64_t name, const char *what, const char *why) {
  struct report report = {.kind = REPORT_FAILED, .name = name};
  snprintf(report.reason, sizeof report.reason, "%s: %s", what, why);
  send_report(&report);
}

bool report_next(struct report *report, int patience) {
  struct pollfd written = {.fd = ends[0], .events = POLLIN};
  if (poll(&written, 1, patience) <= 0)
    return false;
  while (read(ends[0], report, sizeof *report) != (ssize_t)sizeof *report) {
    if (errno != EINTR)
      broken();
  }
  return true;
}
