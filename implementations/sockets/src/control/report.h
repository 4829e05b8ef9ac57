// What actors report to control. Reports lie in a pipe: none is torn, and whoever writes does not
// wait.
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdint.h>

enum report_kind { REPORT_DONE, REPORT_FAILED };

struct report {
  enum report_kind kind;
  uint64_t nanos; // When the lead was done (MEAS-3).
  uint64_t counts[2];
  uint64_t name; // Who failed, and why.
  char reason[240];
};

void reports_start(void);
// Where reports are written, for a process that is given that file, and says so there.
int report_file(void);
void reports_join(int file);
void report_done(uint64_t nanos, uint64_t first, uint64_t second);
void report_failure(uint64_t name, const char *what, const char *why);
// The next one; false if there is none within so many milliseconds.
bool report_next(struct report *report, int patience);

#endif
