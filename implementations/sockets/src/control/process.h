// Employees as processes of their own.
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "addresses.h"

// The status of one whose employee has failed, and has told control why.
enum { PROCESS_FAILED = 3 };

// From now on each employee of a world is a process.
void processes_take(void);
bool processes_taken(void);

// Starts this program anew as that employee. `log` is the file of its log, or -1.
pid_t process_start(uint32_t index, const struct addresses *addresses, int log);
// Waits until so many of those that were started are connected.
void processes_await(uint32_t count);

// What `main` does in such a process: `words` are those that process_start gave it.
int process_main(char **words);

#endif
