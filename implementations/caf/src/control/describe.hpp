#pragma once

#include "control/probe.hpp"
#include "control/runtime.hpp"

namespace dramaturg {

/// What runtime this is, and answers to questions of arithmetic.
inline v2::DescribeResponse describe(const v2::DescribeRequest& request, const runtime& runtime) {
  v2::DescribeResponse response;
  response.set_runtime("CAF");
  response.set_runtime_version(compat::version());
  response.set_schedulers(static_cast<std::uint32_t>(runtime.config.workers));
  auto& details = *response.mutable_details();
  details["scheduler"] = runtime.config.policy;
  details["compiler"] = DRAMATURG_COMPILER;
  details["flags"] = DRAMATURG_FLAGS;
  for (const auto& probe : request.probes())
    *response.add_answers() = answer(probe);
  return response;
}

} // namespace dramaturg
