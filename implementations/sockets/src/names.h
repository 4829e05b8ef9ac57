// Names of actors (ACT-3).
#ifndef NAMES_H
#define NAMES_H

#include <stdint.h>

#include "table.h"

static inline uint64_t make_name(enum actor_class class, uint32_t index) {
  return (uint64_t) class << 56 | (uint64_t)index << 24;
}

static inline enum actor_class class_of(uint64_t name) { return (enum actor_class)(name >> 56); }

static inline uint32_t index_of(uint64_t name) { return (uint32_t)(name >> 24); }

#endif
