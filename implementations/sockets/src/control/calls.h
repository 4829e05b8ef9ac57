#ifndef CALLS_H
#define CALLS_H

// Reads calls from standard input until it ends.
void calls_serve(void);

#endif
