#pragma once

#include "compat.hpp"

#include <cstddef>
#include <string>

namespace dramaturg {

/// The one actor system of the process, in which worlds come and go.
class runtime {
public:
  /// `policy` is CAF's name of a scheduler: "stealing" or "sharing".
  explicit runtime(const std::string& policy);

  [[nodiscard]] caf::actor_system& system() noexcept { return system_; }
  [[nodiscard]] const std::string& policy() const noexcept { return policy_; }
  [[nodiscard]] std::size_t workers() const noexcept { return workers_; }

  /// Waits until all actors of the world have ended, and no longer if nothing changes any
  /// more. Returns how many have not, as CAF itself counts them (CTRL-8).
  [[nodiscard]] std::size_t await_end();

private:
  std::string policy_;
  std::size_t workers_;
  caf::actor_system_config config_;
  caf::actor_system system_;
  std::size_t own_actors_; // CAF's count when there is an inbox, and nobody else
};

} // namespace dramaturg
