#pragma once

// The benchmarks that there are, and all their messages.

#include "chatapp/messages.hpp"
#include "micro/bang.hpp"
#include "micro/big.hpp"
#include "micro/broker.hpp"
#include "micro/chain.hpp"
#include "micro/count.hpp"
#include "micro/fanout.hpp"
#include "micro/mergesort.hpp"
#include "micro/openweb.hpp"
#include "micro/pingpong.hpp"
#include "micro/sleepers.hpp"
#include "micro/web.hpp"
#include "nodes/messages.hpp"

#include <stdexcept>

namespace dramaturg {

/// The benchmark that was asked for.
inline std::unique_ptr<benchmark> make_benchmark(const v2::Benchmark& parameters) {
  switch (parameters.parameters_case()) {
  case v2::Benchmark::kChatapp:
    return make_benchmark(parameters.chatapp());
  case v2::Benchmark::kPingpong:
    return make_benchmark(parameters.pingpong());
  case v2::Benchmark::kBig:
    return make_benchmark(parameters.big());
  case v2::Benchmark::kBang:
    return make_benchmark(parameters.bang());
  case v2::Benchmark::kWeb:
    return make_benchmark(parameters.web());
  case v2::Benchmark::kCount:
    return make_benchmark(parameters.count());
  case v2::Benchmark::kChain:
    return make_benchmark(parameters.chain());
  case v2::Benchmark::kFanout:
    return make_benchmark(parameters.fanout());
  case v2::Benchmark::kSleepers:
    return make_benchmark(parameters.sleepers());
  case v2::Benchmark::kMergesort:
    return make_benchmark(parameters.mergesort());
  case v2::Benchmark::kBroker:
    return make_benchmark(parameters.broker());
  case v2::Benchmark::kOpenweb:
    return make_benchmark(parameters.openweb());
  default:
    throw std::runtime_error{"a benchmark that is not in benchmarks.hpp"};
  }
}

} // namespace dramaturg
