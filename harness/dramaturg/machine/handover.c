// What it costs at least on this machine to hand a message over, in nanoseconds: within a
// thread, and from one thread to another. The best of many short runs each, through the
// plainest queue there is, of single numbers and without a wait, a wake-up or an allocation.

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { PLACES = 1024, MESSAGES = 200000, RUNS = 30 };

static _Atomic uint64_t places[PLACES];
static _Alignas(128) _Atomic uint64_t put;
static _Alignas(128) _Atomic uint64_t taken;
static volatile uint64_t sum;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

// Who waits for long waits for a thread that has no core.
static void wait(unsigned *spins) {
  if (++*spins % 10000 == 0) sched_yield();
}

static void give(uint64_t number) {
  unsigned spins = 0;
  while (number - atomic_load_explicit(&taken, memory_order_acquire) >= PLACES) wait(&spins);
  atomic_store_explicit(&places[number % PLACES], number, memory_order_relaxed);
  atomic_store_explicit(&put, number + 1, memory_order_release);
}

static uint64_t take(uint64_t number) {
  unsigned spins = 0;
  while (atomic_load_explicit(&put, memory_order_acquire) <= number) wait(&spins);
  uint64_t value = atomic_load_explicit(&places[number % PLACES], memory_order_relaxed);
  atomic_store_explicit(&taken, number + 1, memory_order_release);
  return value;
}

static void *taker(void *unused) {
  (void)unused;
  uint64_t all = 0;
  for (uint64_t number = 0; number < MESSAGES; number++) all += take(number);
  sum = all;
  return NULL;
}

static double within(void) {
  double begun = now();
  uint64_t all = 0;
  for (uint64_t number = 0; number < MESSAGES; number++) {
    give(number);
    all += take(number);
  }
  sum = all;
  return (now() - begun) / MESSAGES;
}

static double between(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, taker, NULL) != 0) return 1e18;
  double begun = now();
  for (uint64_t number = 0; number < MESSAGES; number++) give(number);
  pthread_join(other, NULL);
  return (now() - begun) / MESSAGES;
}

int main(void) {
  double best[2] = {1e18, 1e18};
  for (int run = 0; run < RUNS; run++) {
    double (*measures[2])(void) = {within, between};
    for (int which = 0; which < 2; which++) {
      atomic_store(&put, 0);
      atomic_store(&taken, 0);
      double nanos = measures[which]();
      if (nanos < best[which]) best[which] = nanos;
    }
  }
  printf("%.6f %.6f\n", best[0], best[1]);
  return 0;
}
