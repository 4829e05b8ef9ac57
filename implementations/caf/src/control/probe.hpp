#pragma once

#include "control/histogram.hpp"
#include "dramaturg/v2/control.pb.h"
#include "fibonacci.hpp"
#include "fold.hpp"
#include "lcg.hpp"
#include "payload.hpp"

#include <numeric>
#include <vector>

namespace dramaturg {

/// A probe's answer (level 0).
inline v2::ProbeAnswer answer(const v2::Probe& probe) {
  v2::ProbeAnswer answer;
  if (probe.has_lcg()) {
    lcg lcg{probe.lcg().seed()};
    for (const auto modulus : probe.lcg().moduli())
      answer.add_values(lcg.next_int(modulus));
  } else if (probe.has_shuffle()) {
    lcg lcg{probe.shuffle().seed()};
    std::vector<std::uint64_t> items(probe.shuffle().length());
    std::iota(items.begin(), items.end(), 0);
    lcg.shuffle(items);
    answer.mutable_values()->Add(items.begin(), items.end());
    answer.add_values(lcg.state());
  } else if (probe.has_fibonacci()) {
    answer.add_values(fibonacci(probe.fibonacci().n()));
  } else if (probe.has_payloads()) {
    const auto& asked = probe.payloads();
    answer.add_values(sum_of_results(asked.salt(), asked.tasks(), asked.size()));
  } else if (probe.has_latencies()) {
    std::vector<std::uint64_t> histogram;
    for (const auto reading : probe.latencies().answered())
      count_latency(histogram, probe.latencies().due(), reading);
    answer.mutable_values()->Add(histogram.begin(), histogram.end());
  } else {
    const auto& numbers = probe.fold().numbers();
    answer.add_values(std::accumulate(numbers.begin(), numbers.end(), probe.fold().salt(), fold));
  }
  return answer;
}

} // namespace dramaturg
