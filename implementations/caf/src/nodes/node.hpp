#pragma once

#include "benchmark.hpp"
#include "control/inbox.hpp"
#include "dramaturg/v2/control.pb.h"
#include "nodes/gate.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dramaturg {

/// This process as one of several nodes (spec/distributed.md), or as the only one. Node 0,
/// prepared last, calls the registrars of all others, learns who lives there, and introduces
/// to each whom it has to know.
class node {
public:
  node(caf::actor_system& system, inbox& inbox, benchmark& benchmark,
       const v2::PrepareRequest& request);

  [[nodiscard]] place here() const noexcept { return here_; }

  /// Makes this node's actors known to the other nodes, and the others to them. Then
  /// `environment` knows whom at node 0 to tell of failures.
  void connect(const environment_ptr& environment);

  /// Closes the gate, and sends the registrar away.
  void leave();

private:
  void call(std::uint32_t other);
  void report_loss(const registrar_handle& registrar, const std::string& node);
  void introduce_everybody(const environment_ptr& environment);

  caf::actor_system& system_;
  inbox& inbox_;
  benchmark& benchmark_;
  const v2::PrepareRequest request_;
  place here_;
  registrar_handle registrar_; // this node's, if it has one
  std::optional<gate> gate_;
  std::vector<registrar_handle> others_; // of the nodes that this one has called
};

} // namespace dramaturg
