#pragma once

#include "benchmark.hpp"
#include "message.hpp"

#include <cstdint>
#include <memory>

namespace dramaturg {

namespace to_alarm {

struct start : message<v2::MESSAGE_KIND_ALARM_START> {
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(salt); }
};

struct awake : message<v2::MESSAGE_KIND_ALARM_AWAKE> {
  std::uint32_t number;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(number, value); }
};

} // namespace to_alarm

namespace to_sleeper {

struct sleep : message<v2::MESSAGE_KIND_SLEEPER_SLEEP> {
  std::uint32_t number;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(number, value); }
};

struct wake : message<v2::MESSAGE_KIND_SLEEPER_WAKE> {
  std::uint32_t number;
  [[nodiscard]] auto arguments() const { return std::tie(number); }
};

} // namespace to_sleeper

/// spec/sleepers.md.
std::unique_ptr<benchmark> make_benchmark(const v2::SleepersParameters& parameters);

} // namespace dramaturg
