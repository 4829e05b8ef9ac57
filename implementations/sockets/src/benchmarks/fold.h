// Digests (ACT-8, ACT-9).
#ifndef FOLD_H
#define FOLD_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t fold(uint32_t digest, uint32_t number) {
  const uint32_t high = UINT32_C(1664525) * digest + UINT32_C(1013904223) + number;
  return high ^ (high >> 16);
}

static inline uint32_t checksum(uint32_t from, const unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; ++i)
    from = 31 * from + bytes[i];
  return from;
}

#endif
