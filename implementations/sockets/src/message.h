// A message of the specification, as it travels: a header of fixed length, then the payload, in one
// frame of the library. Its end is that of the frame; no byte in it ends anything.
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "library.h"

enum { MOST_ARGUMENTS = 4 };

// Sender and receiver are of one build on one machine, so it is sent as it lies in memory.
struct header {
  uint64_t from;
  uint64_t arguments[MOST_ARGUMENTS];
  uint32_t kind;
  uint32_t unused;
};

struct message {
  struct header header;
  unsigned char *payload; // In the library's own buffer.
  size_t size;
  struct parcel parcel; // What the library needs to send it on, or to give it back.
};

#endif
