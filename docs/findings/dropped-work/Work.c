// Compute as the published ChatApp programs in Pony, CAF and Newspeak have it: the 35th Fibonacci
// number, 10,000 times, compared with a constant in a branch that never runs.
#include <stdio.h>
#include <time.h>

typedef unsigned long long number;

// By halving: f(2k) and f(2k + 1) follow from f(k) and f(k - 1).
static number fibonacci(unsigned char n) {
  if (n < 2)
    return n;
  number half = fibonacci(n / 2), before = fibonacci(n / 2 - 1);
  if (n % 2 == 0)
    return half * (half + 2 * before);
  number product = (2 * half + before) * (2 * half - before);
  return n % 4 == 1 ? product + 2 : product - 2;
}

static unsigned errors;

__attribute__((noinline)) static void compute(void) {
  unsigned char index = 35;
  for (int i = 0; i < 10000; i++)
    if (fibonacci(index) != 9227465) {
      errors++;
      index++;
    }
}

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

int main(void) {
  double least = 1e12;
  for (int i = 0; i < 200; i++) {
    double before = microseconds();
    compute();
    double took = microseconds() - before;
    if (took < least)
      least = took;
  }
  printf("%.2f\n", least);
  return errors > 0;
}
