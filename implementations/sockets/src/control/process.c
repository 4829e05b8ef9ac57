// A process is this program, started anew: a library's threads do not survive a fork. It has its
// log in memory that control sees as well, and writes its failures into control's pipe of reports.
#include "control/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/broker.h"
#include "control/log.h"
#include "control/report.h"
#include "names.h"

// Files of a process, beside the three that everybody has.
enum { LOG = 3, REPORTS, READY, FIRST_OF_OTHERS };

static bool taken;
static int ready[2] = {-1, -1};

void processes_take(void) {
  taken = true;
  actors_are = "employees a process each, the others a thread each";
}

bool processes_taken(void) { return taken; }

static void check(bool well, const char *what) {
  if (!well)
    fail(what, strerror(errno));
}

// Out of the way of those numbers. A copy takes a file, of which there may be none left.
static int beside(int file) {
  return file < 0 || file >= FIRST_OF_OTHERS ? file : fcntl(file, F_DUPFD, FIRST_OF_OTHERS);
}

// Between fork and exec, where nothing may be called that takes a lock.
static void arrange_files(int log) {
  const int files[] = {beside(log), beside(report_file()), beside(ready[1])};
  for (int i = 0; i < 3; ++i) {
    if (files[i] < 0)
      close(LOG + i);
    else
      dup2(files[i], LOG + i);
  }
  // Standard input and output are the control port's.
  close(STDIN_FILENO);
  open("/dev/null", O_RDONLY); // It is given the lowest number.
  dup2(STDERR_FILENO, STDOUT_FILENO);
  close_range(FIRST_OF_OTHERS, ~0U, 0);
}

pid_t process_start(uint32_t index, const struct addresses *addresses, int log) {
  if (ready[0] < 0)
    check(pipe(ready) == 0, "pipe");
  char number[16];
  char most[24];
  snprintf(number, sizeof number, "%u", index);
  snprintf(most, sizeof most, "%zu", library_most_bytes());
  const char *words[] = {"employee",           "--employee", number, addresses->front,
                         addresses->go[index], most,         NULL};
  const pid_t process = fork();
  check(process >= 0, "fork");
  if (process == 0) {
    arrange_files(log);
    execv("/proc/self/exe", (char *const *)words);
    _exit(127);
  }
  return process;
}

void processes_await(uint32_t count) {
  struct pollfd descriptor = {.fd = ready[0], .events = POLLIN};
  while (count > 0) {
    enum { SOON = 100 };
    char byte;
    if (poll(&descriptor, 1, SOON) > 0 && read(ready[0], &byte, 1) == 1) {
      --count;
      continue;
    }
    // Whoever was not accepted waits on, or gives up and ends.
    check_files();
    if (waitpid(-1, NULL, WNOHANG) > 0)
      fail("an employee's process", "ended before it was connected");
  }
}

int process_main(char **words) {
  // With control, whatever ends it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const uint32_t index = (uint32_t)strtoul(words[2], NULL, 10);
  struct addresses *addresses = calloc(1, sizeof *addresses);
  check(addresses != NULL && index < MOST_EMPLOYEES, "employee");
  snprintf(addresses->front, sizeof addresses->front, "%s", words[3]);
  snprintf(addresses->go[index], sizeof addresses->go[index], "%s", words[4]);
  const size_t most = strtoul(words[5], NULL, 10);
  if (most > 0)
    library_take_at_most(most);
  // Before the library opens a file that would have its number.
  struct log *log = fcntl(LOG, F_GETFD) < 0 ? NULL : log_opened(LOG);
  library_start("inproc://one");
  reports_join(REPORTS);
  struct employee employee = {employee_open(addresses, index), false};
  struct actor self = {.name = make_name(CLASS_EMPLOYEE, index),
                       .log = log,
                       .run = employee_run,
                       .state = &employee};
  check(write(READY, "", 1) == 1, "ready");
  actor_start(&self);
  void *failed;
  pthread_join(self.thread, &failed);
  employee_close(employee.end);
  return failed == NULL ? EXIT_SUCCESS : PROCESS_FAILED;
}
