#pragma once

// What the nodes of a distributed world say to each other before it begins, and when it
// is over.

#include "name.hpp"
#include "nodes/place.hpp"

#include <cstdint>

namespace dramaturg {

namespace to_registrar {

/// From node 0: who lives there?
struct call {};

/// From node 0: everybody whom those who live there have to know, and the registrars of all
/// nodes.
struct introduce {
  residents all;
  std::vector<caf::strong_actor_ptr> registrars;
};

/// From an actor of any node: makes another one that lives there (DIST-7). It is answered with
/// the one that was made.
struct birth {
  name_t name;
  std::uint32_t seed;
  caf::strong_actor_ptr maker;
};

/// From this node's control port: the world is over.
struct leave {};

template <class Inspector>
auto inspect(Inspector& inspector, call& m) {
  return compat::inspect_fields(inspector, m);
}

template <class Inspector>
auto inspect(Inspector& inspector, introduce& m) {
  return compat::inspect_fields(inspector, m, m.all, m.registrars);
}

template <class Inspector>
auto inspect(Inspector& inspector, birth& m) {
  return compat::inspect_fields(inspector, m, m.name, m.seed, m.maker);
}

template <class Inspector>
auto inspect(Inspector& inspector, leave& m) {
  return compat::inspect_fields(inspector, m);
}

} // namespace to_registrar

namespace to_control {

struct residents {
  dramaturg::residents here;
};

/// Everybody there knows whom they have to know.
struct introduced {};

template <class Inspector>
auto inspect(Inspector& inspector, residents& m) {
  return compat::inspect_fields(inspector, m, m.here);
}

template <class Inspector>
auto inspect(Inspector& inspector, introduced& m) {
  return compat::inspect_fields(inspector, m);
}

} // namespace to_control

} // namespace dramaturg
