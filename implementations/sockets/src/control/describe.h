#ifndef DESCRIBE_H
#define DESCRIBE_H

#include <jansson.h>

// The answer to `describe` (CTRL-14), a new reference.
json_t *describe(json_t *request);

#endif
