#include "addresses.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "actor.h"

enum transport { INPROC, IPC, TCP };

static const char *const NAMES[] = {"inproc", "ipc", "tcp"};

static enum transport chosen = INPROC;
static unsigned worlds = UINT_MAX; // Before the first: no number is longer.

void check_files(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    fail("one more connection", strerror(errno));
  close(ends[0]);
  close(ends[1]);
}

bool addresses_choose(const char *transport) {
  for (enum transport each = INPROC; each <= TCP; ++each) {
    if (strcmp(transport, NAMES[each]) == 0) {
      chosen = each;
      return true;
    }
  }
  return false;
}

const char *addresses_transport(void) { return NAMES[chosen]; }

// A port that is free now, below those that the kernel gives to who connects.
static unsigned free_port(void) {
  enum { FIRST = 10240, COUNT = 22000 };
  static unsigned next;
  if (next == 0)
    next = (unsigned)getpid() * 131;
  for (unsigned tries = 0; tries < COUNT; ++tries) {
    const unsigned port = FIRST + next++ % COUNT;
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)port),
                                        .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const int probe = socket(AF_INET, SOCK_STREAM, 0);
    if (probe < 0)
      fail("socket", strerror(errno));
    const bool is_free = bind(probe, (const struct sockaddr *)&address, sizeof address) == 0;
    close(probe);
    if (is_free)
      return port;
  }
  fail("tcp", "no free port");
}

// Over IP it may be that nobody can be reached, and who connects through a library waits on then.
static void reach_loopback(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  struct sockaddr *const there = (struct sockaddr *)&address;
  socklen_t size = sizeof address;
  const int listening = socket(AF_INET, SOCK_STREAM, 0);
  const int connecting = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(listening, there, size) != 0 || getsockname(listening, there, &size) != 0
      || listen(listening, 1) != 0 || connect(connecting, there, size) != 0)
    fail("tcp over the loopback device", strerror(errno));
  close(connecting);
  close(listening);
}

// Of a folder that is too long half would be another one.
static void make_path(char *address, const char *what, unsigned index) {
  enum {
    SCHEME = sizeof "ipc://" - 1,
    LONGEST = SCHEME + sizeof((struct sockaddr_un *)0)->sun_path
  };
  const char *folder = getenv("TMPDIR");
  const int length = snprintf(address, ADDRESS_SIZE, "ipc://%s/dramaturg-%d-%u-%s-%u",
                              folder == NULL ? "/tmp" : folder, (int)getpid(), worlds, what, index);
  if (length >= LONGEST)
    fail("ipc", "TMPDIR is too long for the path of a socket");
}

static void make(char *address, const char *what, unsigned index) {
  switch (chosen) {
  case INPROC:
    snprintf(address, ADDRESS_SIZE, "inproc://%u-%s-%u", worlds, what, index);
    break;
  case IPC:
    make_path(address, what, index);
    break;
  case TCP:
    snprintf(address, ADDRESS_SIZE, "tcp://127.0.0.1:%u", free_port());
    break;
  }
}

void addresses_make(struct addresses *addresses, uint32_t employees) {
  ++worlds;
  make(addresses->control, "control", 0);
  make(addresses->front, "front", 0);
  make(addresses->back, "back", 0);
  for (uint32_t i = 0; i < employees; ++i)
    make(addresses->go[i], "go", i);
}

// In no world is one longer: where this one fits all do.
void addresses_make_one(char *address) {
  if (chosen == TCP)
    reach_loopback();
  make(address, "control", 0);
}

void addresses_forget_one(const char *address) {
  if (chosen == IPC)
    unlink(address + strlen("ipc://"));
}

void addresses_forget(const struct addresses *addresses, uint32_t employees) {
  addresses_forget_one(addresses->control);
  addresses_forget_one(addresses->front);
  addresses_forget_one(addresses->back);
  for (uint32_t i = 0; i < employees; ++i)
    addresses_forget_one(addresses->go[i]);
}
