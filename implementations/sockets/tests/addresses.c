// Where the first address of a process fits all later ones do; and no two processes have one.
#include "addresses.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t longest;

static void measure(const char *address) {
  const size_t length = strlen(address);
  longest = length > longest ? length : longest;
}

static int check_length(void) {
  char first[ADDRESS_SIZE];
  struct addresses later;
  addresses_choose("ipc");
  addresses_make_one(first);
  addresses_make(&later, MOST_EMPLOYEES);
  measure(later.control);
  measure(later.front);
  measure(later.back);
  for (int i = 0; i < MOST_EMPLOYEES; ++i)
    measure(later.go[i]);
  // The number of a world may have up to nine digits more than that of the first.
  const size_t most = longest + 9;
  if (strlen(first) < most)
    printf("addresses: %s has fewer than %zu bytes\n", first, most);
  return strlen(first) < most;
}

// Of two processes that look for a port at once, neither finds what the other has found.
static int check_two(void) {
  char mine[ADDRESS_SIZE];
  char other[ADDRESS_SIZE] = "";
  int ends[2];
  addresses_choose("tcp");
  if (pipe(ends) != 0)
    return 1;
  const pid_t child = fork();
  addresses_make_one(mine);
  if (child == 0)
    _exit(write(ends[1], mine, sizeof mine) != sizeof mine);
  const bool told = read(ends[0], other, sizeof other) == sizeof other;
  waitpid(child, NULL, 0);
  const bool same = !told || strcmp(mine, other) == 0;
  if (same)
    printf("addresses: two processes have %s\n", mine);
  return same;
}

int main(void) { return check_length() + check_two(); }
