#pragma once

#include "fold.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dramaturg {

/// Travels in messages, by ownership: a hop moves it on.
using bytes = std::vector<std::uint8_t>;

/// The payload of a task of broker, byte by byte (BROKER-3).
inline bytes make_payload(std::uint32_t salt, std::uint32_t number, std::uint32_t size) {
  bytes payload(size);
  stream drawn{fold(salt, number)};
  std::generate(payload.begin(), payload.end(),
                [&] { return static_cast<std::uint8_t>(drawn.next() >> 24); });
  return payload;
}

/// What is found by who reads it (BROKER-3).
inline std::uint32_t result_of(const bytes& payload, std::uint32_t number) {
  return fold(checksum(0, payload), number);
}

/// The sum of the results of so many tasks, each payload made and read as in a run.
inline std::uint32_t sum_of_results(std::uint32_t salt, std::uint32_t tasks, std::uint32_t size) {
  std::uint32_t sum = 0;
  for (std::uint32_t number = 0; number < tasks; ++number)
    sum += result_of(make_payload(salt, number, size), number);
  return sum;
}

} // namespace dramaturg
