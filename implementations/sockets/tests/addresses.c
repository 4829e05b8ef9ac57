// Where the first address of a process fits all later ones do.
#include "addresses.h"

#include <stdio.h>
#include <string.h>

static size_t longest;

static void measure(const char *address) {
  const size_t length = strlen(address);
  longest = length > longest ? length : longest;
}

int main(void) {
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
