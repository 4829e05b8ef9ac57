#pragma once

#include "benchmark.hpp"
#include "message.hpp"

#include <cstdint>
#include <memory>

namespace dramaturg {

namespace to_receiver {

struct start : message<v2::MESSAGE_KIND_RECEIVER_START> {
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(salt); }
};

struct bang : message<v2::MESSAGE_KIND_RECEIVER_BANG> {
  std::uint64_t number;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(number, value); }
};

struct tick : message<v2::MESSAGE_KIND_RECEIVER_TICK> {
  std::uint32_t number;
  [[nodiscard]] auto arguments() const { return std::tie(number); }
};

struct finished : message<v2::MESSAGE_KIND_RECEIVER_FINISHED> {
  std::uint64_t answers;
  std::uint32_t taken;
  [[nodiscard]] auto arguments() const { return std::tie(answers, taken); }
};

} // namespace to_receiver

namespace to_sender {

struct go : message<v2::MESSAGE_KIND_SENDER_GO> {
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(salt); }
};

struct answer : message<v2::MESSAGE_KIND_SENDER_ANSWER> {
  std::uint64_t number;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(number, value); }
};

struct stop : message<v2::MESSAGE_KIND_SENDER_STOP> {};

} // namespace to_sender

/// spec/bang.md.
std::unique_ptr<benchmark> make_benchmark(const v2::BangParameters& parameters);

} // namespace dramaturg
