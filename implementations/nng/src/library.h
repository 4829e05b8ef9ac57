// What a message keeps of nng.
#ifndef LIBRARY_H
#define LIBRARY_H

#include <nng/nng.h>

struct parcel {
  nng_msg *frame; // With the way back to who asked in its own header.
};

#endif
