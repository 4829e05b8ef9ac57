#pragma once

#include "dramaturg/v2/control.pb.h"
#include "handles.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dramaturg {

/// Where a world is, or a part of it: which node this is, of how many.
struct place {
  std::uint32_t node = 0;
  std::uint32_t nodes = 1;

  static place asked(const v2::PrepareRequest& request) {
    return {request.node(), std::max(1U, static_cast<std::uint32_t>(request.peers_size()))};
  }
};

/// The indices of a class of actors that live on one node: `first`, `first + step`
/// and so on (spec/distributed.md, model/places.py).
struct share {
  std::uint32_t first;
  std::uint32_t step;

  /// Dealt to all nodes in turn.
  static share of_all(place here) { return {here.node, here.nodes}; }

  /// Dealt to all nodes but the first, if there are others.
  static share of_the_rest(place here) {
    if (here.nodes == 1)
      return {0, 1};
    return {here.node == 0 ? nobody : here.node - 1, here.nodes - 1};
  }

private:
  static constexpr std::uint32_t nobody = 1U << 31;
};

/// Who of a world must be known on other nodes: the lead, and others by index.
/// Nobody stands where the one who speaks knows nobody.
struct residents {
  caf::strong_actor_ptr lead;
  std::vector<caf::strong_actor_ptr> others;

  residents() = default;

  template <class Lead, class Other>
  residents(const Lead& lead, const std::vector<Other>& others)
      : lead{caf::actor_cast<caf::strong_actor_ptr>(lead)} {
    for (const auto& other : others)
      this->others.push_back(caf::actor_cast<caf::strong_actor_ptr>(other));
  }

  /// Takes over from another node whom this one does not know.
  void add(const residents& there) {
    for (std::size_t i = 0; i < others.size(); ++i)
      if (there.others[i])
        others[i] = there.others[i];
  }

  /// Completes what somebody knows.
  template <class Lead, class Other>
  void tell(Lead& lead, std::vector<Other>& others) const {
    if (this->lead)
      lead = caf::actor_cast<Lead>(this->lead);
    for (std::size_t i = 0; i < this->others.size(); ++i)
      if (this->others[i])
        others[i] = caf::actor_cast<Other>(this->others[i]);
  }
};

template <class Inspector>
auto inspect(Inspector& inspector, residents& r) {
  return compat::inspect_fields(inspector, r, r.lead, r.others);
}

} // namespace dramaturg
