#pragma once

#include "benchmark.hpp"
#include "message.hpp"

#include <cstdint>
#include <memory>

namespace dramaturg {

namespace to_tally {

struct start : message<v2::MESSAGE_KIND_TALLY_START> {
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(salt); }
};

struct counted : message<v2::MESSAGE_KIND_TALLY_COUNTED> {
  std::uint64_t adds;
  std::uint32_t sum;
  [[nodiscard]] auto arguments() const { return std::tie(adds, sum); }
};

} // namespace to_tally

namespace to_adder {

struct go : message<v2::MESSAGE_KIND_ADDER_GO> {
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(salt); }
};

struct total : message<v2::MESSAGE_KIND_ADDER_TOTAL> {
  std::uint64_t adds;
  std::uint32_t sum;
  [[nodiscard]] auto arguments() const { return std::tie(adds, sum); }
};

} // namespace to_adder

namespace to_counter {

struct add : message<v2::MESSAGE_KIND_COUNTER_ADD> {
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(value); }
};

struct get_and_reset : message<v2::MESSAGE_KIND_COUNTER_GET_AND_RESET> {};

} // namespace to_counter

/// spec/count.md.
std::unique_ptr<benchmark> make_benchmark(const v2::CountParameters& parameters);

} // namespace dramaturg
