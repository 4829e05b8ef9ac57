#ifndef FIBONACCI_H
#define FIBONACCI_H

#include <stdint.h>

// By doubly recursive descent (IMPL-6).
uint64_t fibonacci(uint32_t n);

#endif
