#include "describe.hpp"

#include "benchmarks.hpp"
#include "fibonacci.hpp"
#include "lcg.hpp"
#include "validation.hpp"

#include <grpcpp/grpcpp.h>

#include <numeric>
#include <vector>

namespace dramaturg {

namespace {

v1::ProbeAnswer answer(const v1::Probe& probe) {
  validate(probe);
  v1::ProbeAnswer answer;
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
  } else {
    answer.add_values(fibonacci(probe.fibonacci().n()));
  }
  return answer;
}

} // namespace

v1::DescribeResponse describe(const v1::DescribeRequest& request, const runtime& runtime) {
  v1::DescribeResponse response;
  response.set_name("caf");
  response.set_runtime("CAF");
  response.set_runtime_version(compat::version());
  response.set_spec_version("1");
  for (const auto* benchmark : benchmarks)
    response.add_benchmarks(benchmark);
  for (const auto* benchmark : distributed)
    response.add_distributed(benchmark);
  response.set_schedulers(static_cast<std::uint32_t>(runtime.workers()));
  auto& details = *response.mutable_details();
  details["scheduler"] = runtime.policy();
  details["compiler"] = DRAMATURG_COMPILER;
  details["flags"] = DRAMATURG_FLAGS;
  details["grpc"] = grpc::Version();
  for (const auto& probe : request.probes())
    *response.add_answers() = answer(probe);
  return response;
}

} // namespace dramaturg
