#pragma once

// The benchmarks that there are, and all their messages.

#include "micro/pingpong.hpp"
#include "nodes/messages.hpp"

#include <stdexcept>

namespace dramaturg {

/// The benchmark that was asked for.
inline std::unique_ptr<benchmark> make_benchmark(const v2::Benchmark& parameters) {
  switch (parameters.parameters_case()) {
  case v2::Benchmark::kPingpong:
    return make_benchmark(parameters.pingpong());
  default:
    throw std::runtime_error{"a benchmark that is not in benchmarks.hpp"};
  }
}

} // namespace dramaturg
