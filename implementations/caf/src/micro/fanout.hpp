#pragma once

#include "benchmark.hpp"
#include "message.hpp"

#include <cstdint>
#include <memory>

namespace dramaturg {

namespace to_master {

struct start : message<v2::MESSAGE_KIND_MASTER_START> {
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(salt); }
};

struct completed : message<v2::MESSAGE_KIND_MASTER_COMPLETED> {
  std::uint32_t number;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(number, value); }
};

} // namespace to_master

namespace to_runner {

struct task : message<v2::MESSAGE_KIND_RUNNER_TASK> {
  std::uint32_t number;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(number, value); }
};

} // namespace to_runner

/// spec/fanout.md.
std::unique_ptr<benchmark> make_benchmark(const v2::FanoutParameters& parameters);

} // namespace dramaturg
