#pragma once

#include "compat.hpp"

#include <chrono>
#include <cstddef>
#include <string>

namespace dramaturg {

/// The one actor system of the process, in which worlds come and go.
class runtime {
public:
  /// `policy` is CAF's name of a scheduler: "stealing" or "sharing".
  explicit runtime(const std::string& policy);

  [[nodiscard]] caf::actor_system& system() noexcept { return system_; }
  [[nodiscard]] caf::io::middleman& network() { return system_.middleman(); }
  [[nodiscard]] const std::string& policy() const noexcept { return policy_; }
  [[nodiscard]] std::size_t workers() const noexcept { return workers_; }

  /// How many actors are alive beyond `expected`, as CAF itself counts them
  /// (IMPL-7). Actors end a moment after their last message: waits for the
  /// others to go, but no longer than `patience`.
  [[nodiscard]] std::size_t
  alive_beyond(std::size_t expected, std::chrono::milliseconds patience = std::chrono::seconds{5});

private:
  std::string policy_;
  std::size_t workers_;
  caf::actor_system_config config_;
  caf::actor_system system_;
  std::size_t empty_; // CAF's count when there is an inbox and no world
};

} // namespace dramaturg
