#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "addresses.h"
#include "control/calls.h"
#include "control/process.h"
#include "control/world.h"
#include "ends.h"

// A call may be under way when the input ends. Whoever hangs then is ended all the same (CTRL-11).
static void *watch_input(void *unused) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = 0};
  while (poll(&input, 1, -1) < 0 || !(input.revents & POLLHUP))
    ;
  sleep(1);
  _exit(EXIT_SUCCESS);
  return unused;
}

// The sockets of 128 employees take more files than the 1024 that are usual. As many as may be
// asked for, or as many as are wanted.
static void allow_files(rlim_t wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

// Whoever lacks the transport ends here.
static void start_library(void) {
  char address[ADDRESS_SIZE];
  addresses_make_one(address);
  library_start(address);
  addresses_forget_one(address);
}

static bool take_option(const char *option, const char *value, rlim_t *files) {
  if (strcmp(option, "--workers") == 0 && strcmp(value, "processes") == 0) {
    processes_take();
    return true;
  }
  if (strcmp(option, "--transport") == 0)
    return addresses_choose(value);
  if (strcmp(option, "--router") == 0 && strcmp(value, "device") == 0) {
    world_take_device();
    return true;
  }
  if (strcmp(option, "--bytes") == 0 && atol(value) > 0) {
    library_take_at_most((size_t)atol(value));
    return true;
  }
  if (strcmp(option, "--files") == 0 && atol(value) > 0) {
    *files = (rlim_t)atol(value);
    return true;
  }
  return false;
}

int main(int count, char **words) {
  rlim_t files = RLIM_INFINITY;
  if (count == 6 && strcmp(words[1], "--employee") == 0)
    return process_main(words);
  for (int i = 1; i < count; i += 2) {
    if (!take_option(words[i], i + 1 < count ? words[i + 1] : "", &files)) {
      fprintf(stderr,
              "usage: %s [--transport inproc|ipc|tcp] [--router device] [--workers processes]"
              " [--files N] [--bytes N]\n",
              words[0]);
      return 2;
    }
  }
  const char *transport = addresses_transport();
  if (processes_taken() && (world_has_device() || strcmp(transport, "inproc") == 0)) {
    fprintf(stderr, "%s: processes reach a router, over ipc or tcp: not a device, and not inproc\n",
            words[0]);
    return 2;
  }
  allow_files(files);
  start_library();
  pthread_t watching;
  if (pthread_create(&watching, NULL, watch_input, NULL) != 0) {
    perror("control");
    return 1;
  }
  calls_serve();
  // Actors may be at work: nothing is given back.
  _exit(EXIT_SUCCESS);
}
