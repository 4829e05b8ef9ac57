// What a message keeps of nanomsg.
#ifndef LIBRARY_H
#define LIBRARY_H

struct parcel {
  void *frame;
  void *route; // The way back to who asked: what a raw REP gives beside a message.
};

#endif
