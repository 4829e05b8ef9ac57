#include "benchmarks/payload.h"

#include <stdlib.h>

#include "actor.h"
#include "benchmarks/fold.h"

void make_payload(unsigned char *bytes, uint32_t salt, uint32_t number, uint32_t size) {
  uint32_t drawn = fold(salt, number);
  for (uint32_t i = 0; i < size; ++i) {
    drawn = fold(drawn, i);
    bytes[i] = (unsigned char)(drawn >> 24);
  }
}

uint32_t result_of(uint32_t number, const unsigned char *bytes, size_t size) {
  return fold(checksum(0, bytes, size), number);
}

uint32_t sum_of_results(uint32_t salt, uint32_t tasks, uint32_t size) {
  unsigned char *bytes = malloc(size);
  if (bytes == NULL)
    fail("payloads", "no memory");
  uint32_t sum = 0;
  for (uint32_t number = 0; number < tasks; ++number) {
    make_payload(bytes, salt, number, size);
    sum += result_of(number, bytes, size);
  }
  free(bytes);
  return sum;
}
