#pragma once

#include "dramaturg/v1/benchmarks.pb.h"

#include <array>

namespace dramaturg {

inline constexpr std::array benchmarks{"chatapp",  "pingpong",  "big",   "bang",
                                       "web",      "count",     "chain", "fanout",
                                       "sleepers", "mergesort", "broker"};

/// Those that run on several nodes, too.
inline constexpr std::array distributed{"pingpong", "big", "bang", "web"};

/// Calls `visitor` with the parameters of the benchmark; false if it is none of ours.
template <class Visitor>
bool visit(const v1::Benchmark& benchmark, Visitor visitor) {
  switch (benchmark.parameters_case()) {
  case v1::Benchmark::kChatapp:
    return visitor(benchmark.chatapp()), true;
  case v1::Benchmark::kPingpong:
    return visitor(benchmark.pingpong()), true;
  case v1::Benchmark::kBig:
    return visitor(benchmark.big()), true;
  case v1::Benchmark::kBang:
    return visitor(benchmark.bang()), true;
  case v1::Benchmark::kWeb:
    return visitor(benchmark.web()), true;
  case v1::Benchmark::kCount:
    return visitor(benchmark.count()), true;
  case v1::Benchmark::kChain:
    return visitor(benchmark.chain()), true;
  case v1::Benchmark::kFanout:
    return visitor(benchmark.fanout()), true;
  case v1::Benchmark::kSleepers:
    return visitor(benchmark.sleepers()), true;
  case v1::Benchmark::kMergesort:
    return visitor(benchmark.mergesort()), true;
  case v1::Benchmark::kBroker:
    return visitor(benchmark.broker()), true;
  default:
    return false;
  }
}

} // namespace dramaturg
