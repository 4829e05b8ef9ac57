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

// An address of the loopback device that no other process uses: 127.64.0.0/10 has one for each
// number that a process can have. What is free there when it is looked for is free when it is
// bound.
static struct sockaddr_in own_address(unsigned port) {
  enum { NET = 0x7f400000, NUMBERS = 0x3fffff };
  return (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_port = htons((uint16_t)port),
                              .sin_addr = {htonl(NET | ((uint32_t)getpid() & NUMBERS))}};
}

// A port that is free there, below those that the kernel gives to who connects.
static struct sockaddr_in free_address(void) {
  enum { FIRST = 10240, COUNT = 22000 };
  static unsigned next;
  for (unsigned tries = 0; tries < COUNT; ++tries) {
    const struct sockaddr_in address = own_address(FIRST + next++ % COUNT);
    const int probe = socket(AF_INET, SOCK_STREAM, 0);
    if (probe < 0)
      fail("socket", strerror(errno));
    const bool is_free = bind(probe, (const struct sockaddr *)&address, sizeof address) == 0;
    close(probe);
    if (is_free)
      return address;
  }
  fail("tcp", "no free port");
}

// Over IP it may be that nobody can be reached, and who connects through a library waits on then.
static void reach_loopback(void) {
  struct sockaddr_in address = own_address(0);
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

static void make_tcp(char *address) {
  const struct sockaddr_in is_free = free_address();
  char host[INET_ADDRSTRLEN];
  inet_ntop(AF_INET, &is_free.sin_addr, host, sizeof host);
  snprintf(address, ADDRESS_SIZE, "tcp://%s:%u", host, ntohs(is_free.sin_port));
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
    make_tcp(address);
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
