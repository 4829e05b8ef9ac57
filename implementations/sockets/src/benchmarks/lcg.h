// The generator of spec/lcg.md.
#ifndef LCG_H
#define LCG_H

#include <stdint.h>

struct lcg {
  uint32_t state;
};

// A number below `modulus`; the raw state for 0.
static inline uint32_t lcg_next(struct lcg *lcg, uint32_t modulus) {
  lcg->state = (1309 * lcg->state + 13849) & 0xffff;
  return modulus == 0 ? lcg->state : lcg->state % modulus;
}

static inline void lcg_shuffle(struct lcg *lcg, uint32_t *list, uint32_t length) {
  for (uint32_t i = length; i > 1; --i) {
    const uint32_t j = lcg_next(lcg, i);
    const uint32_t kept = list[i - 1];
    list[i - 1] = list[j];
    list[j] = kept;
  }
}

#endif
