#pragma once

// What the nodes of a distributed world say to each other before it begins.

#include "message.hpp"

#include <cstdint>
#include <vector>

namespace dramaturg {

/// Who of a world must be known on other nodes: the lead, and others by index.
/// Nobody stands where the one who speaks knows nobody.
struct company {
  caf::strong_actor_ptr lead;
  std::vector<caf::strong_actor_ptr> others;
};

template <class Inspector>
auto inspect(Inspector& inspector, company& c) {
  return compat::inspect_fields(inspector, c, c.lead, c.others);
}

namespace to_usher {

/// From node 0: who lives there?
struct call {
  std::uint32_t node;
};

template <class Inspector>
auto inspect(Inspector& inspector, call& m) {
  return compat::inspect_fields(inspector, m, m.node);
}

/// From node 0: everybody whom those who live there have to know.
struct introduce {
  company all;
};

template <class Inspector>
auto inspect(Inspector& inspector, introduce& m) {
  return compat::inspect_fields(inspector, m, m.all);
}

} // namespace to_usher

namespace to_control {

struct present {
  company here;
};

template <class Inspector>
auto inspect(Inspector& inspector, present& m) {
  return compat::inspect_fields(inspector, m, m.here);
}

/// Everybody knows whom they have to know.
struct acquainted {
  std::uint32_t node;
};

template <class Inspector>
auto inspect(Inspector& inspector, acquainted& m) {
  return compat::inspect_fields(inspector, m, m.node);
}

} // namespace to_control

} // namespace dramaturg
