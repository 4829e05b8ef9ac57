#pragma once

#include "compat.hpp"

#include <string>

namespace dramaturg {

/// How CAF is set up here.
struct configuration : caf::actor_system_config {
  /// `workers`: threads that run actors, or 0 for as many as there are cores. One of them
  /// does not steal, whatever the policy.
  configuration(const std::string& policy, std::size_t workers);

  const std::size_t workers;
  const std::string policy; // CAF's name of the scheduler: "stealing" or "sharing"
};

/// The one actor system of the process, in which worlds come and go.
struct runtime {
  runtime(const std::string& policy, std::size_t workers);

  /// Waits until all actors of the world have ended, and no longer if nothing changes any
  /// more. Returns how many have not, as CAF itself counts them (CTRL-8).
  std::size_t await_end();

  configuration config;
  caf::actor_system system{config};
  std::size_t own_actors; // CAF's count when there is an inbox, and nobody else
};

} // namespace dramaturg
