// Where the sockets of a world are.
#ifndef ADDRESSES_H
#define ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

enum { ADDRESS_SIZE = 128, MOST_EMPLOYEES = 128 };

struct addresses {
  char control[ADDRESS_SIZE]; // The employer listens there for control.
  char front[ADDRESS_SIZE];   // The router, for employees.
  char back[ADDRESS_SIZE];    // The router, for the employer.
  char go[MOST_EMPLOYEES][ADDRESS_SIZE];
};

// Which transport: "inproc", "ipc" or "tcp"; false for another.
bool addresses_choose(const char *transport);
const char *addresses_transport(void);
// New ones for each world.
void addresses_make(struct addresses *addresses, uint32_t employees);
// What a world leaves in the file system.
void addresses_forget(const struct addresses *addresses, uint32_t employees);
// One for who is of no world yet, and has room for ADDRESS_SIZE bytes.
void addresses_make_one(char *address);
void addresses_forget_one(const char *address);
// Fails if the process may not open the two files of one more connection. A library that cannot
// accept one says nothing of it. Whoever has connected waits on, or gives up and leaves one free.
void check_files(void);

#endif
