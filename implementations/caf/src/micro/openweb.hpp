#pragma once

#include "benchmark.hpp"
#include "message.hpp"

#include <cstdint>
#include <memory>

namespace dramaturg {

namespace to_source {

struct start : message<v2::MESSAGE_KIND_SOURCE_START> {
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(salt); }
};

struct arrive : message<v2::MESSAGE_KIND_SOURCE_ARRIVE> {
  std::uint32_t number;
  std::uint64_t due;
  [[nodiscard]] auto arguments() const { return std::tie(number, due); }
};

struct answer : message<v2::MESSAGE_KIND_SOURCE_ANSWER> {
  std::uint32_t number;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(number, value); }
};

struct drained : message<v2::MESSAGE_KIND_SOURCE_DRAINED> {
  std::uint64_t used;
  [[nodiscard]] auto arguments() const { return std::tie(used); }
};

struct disconnect : message<v2::MESSAGE_KIND_SOURCE_DISCONNECT> {};

} // namespace to_source

namespace to_balancer {

struct request : message<v2::MESSAGE_KIND_BALANCER_REQUEST> {
  std::uint32_t number;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(number, value); }
};

struct idle : message<v2::MESSAGE_KIND_BALANCER_IDLE> {};

struct close : message<v2::MESSAGE_KIND_BALANCER_CLOSE> {};

} // namespace to_balancer

namespace to_server {

struct work : message<v2::MESSAGE_KIND_SERVER_WORK> {
  std::uint32_t number;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(number, value); }
};

struct stop : message<v2::MESSAGE_KIND_SERVER_STOP> {};

} // namespace to_server

/// spec/openweb.md.
std::unique_ptr<benchmark> make_benchmark(const v2::OpenWebParameters& parameters);

} // namespace dramaturg
