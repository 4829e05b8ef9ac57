#pragma once

#include "benchmark.hpp"
#include "message.hpp"

#include <cstdint>
#include <memory>

namespace dramaturg {

namespace to_dispatcher {

struct start : message<v2::MESSAGE_KIND_DISPATCHER_START> {
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(salt); }
};

struct request : message<v2::MESSAGE_KIND_DISPATCHER_REQUEST> {
  std::uint32_t number;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(number, value); }
};

struct idle : message<v2::MESSAGE_KIND_DISPATCHER_IDLE> {};

struct finished : message<v2::MESSAGE_KIND_DISPATCHER_FINISHED> {
  std::uint64_t answers;
  std::uint32_t sum;
  [[nodiscard]] auto arguments() const { return std::tie(answers, sum); }
};

struct disconnect : message<v2::MESSAGE_KIND_DISPATCHER_DISCONNECT> {};

} // namespace to_dispatcher

namespace to_worker {

struct work : message<v2::MESSAGE_KIND_WORKER_WORK> {
  std::uint32_t browser;
  std::uint32_t number;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(browser, number, value); }
};

struct stop : message<v2::MESSAGE_KIND_WORKER_STOP> {};

} // namespace to_worker

namespace to_browser {

struct go : message<v2::MESSAGE_KIND_BROWSER_GO> {
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(salt); }
};

struct answer : message<v2::MESSAGE_KIND_BROWSER_ANSWER> {
  std::uint32_t number;
  std::uint32_t value;
  [[nodiscard]] auto arguments() const { return std::tie(number, value); }
};

} // namespace to_browser

/// spec/web.md.
std::unique_ptr<benchmark> make_benchmark(const v2::WebParameters& parameters);

} // namespace dramaturg
