#include "benchmark.hpp"

#include "benchmarks.hpp"

namespace dramaturg {

std::unique_ptr<benchmark> make_benchmark(const v2::Benchmark& parameters) {
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
  default:
    return nullptr;
  }
}

} // namespace dramaturg
