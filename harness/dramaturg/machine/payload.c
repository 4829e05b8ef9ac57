// What it costs at least on this machine to make a byte of broker's payload and to read it, in
// nanoseconds: the best of many short runs (spec/broker.md, BROKER-3). Each byte needs the one
// before it, in making as in reading.

#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { SIZE = 4096, RUNS = 1000 };

static uint8_t payload[SIZE];
static volatile uint32_t salt = 42;
static volatile uint32_t sum;

__attribute__((noinline)) static void make(uint32_t drawn) {
  for (uint32_t place = 0; place < SIZE; place++) {
    drawn = 1664525 * drawn + 1013904223 + place;
    drawn ^= drawn >> 16;
    payload[place] = drawn >> 24;
  }
}

__attribute__((noinline)) static uint32_t checksum(void) {
  uint32_t total = 0;
  for (uint32_t place = 0; place < SIZE; place++) total = 31 * total + payload[place];
  return total;
}

int main(void) {
  double best = 1e18;
  for (int run = 0; run < RUNS; run++) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    make(salt + run);
    sum = checksum();
    clock_gettime(CLOCK_MONOTONIC, &end);
    double nanos = (end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec);
    if (nanos < best) best = nanos;
  }
  printf("%.6f\n", best / SIZE);
  return 0;
}
