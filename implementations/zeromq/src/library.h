// What a message keeps of ZeroMQ.
#ifndef LIBRARY_H
#define LIBRARY_H

#include <zmq.h>

// The way back to who asked: what a ROUTER puts before a message, and a DEALER leaves there.
struct hop {
  unsigned char bytes[16];
  unsigned char size;
};

struct parcel {
  zmq_msg_t frame;
  struct hop hops[2]; // The employer's has two: to the router, and to the employee.
};

#endif
