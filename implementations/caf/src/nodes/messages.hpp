#pragma once

// What the nodes of a distributed world say to each other before it begins, and when it
// is over.

#include "nodes/place.hpp"

namespace dramaturg {

namespace to_registrar {

/// From node 0: who lives there?
struct call {};

/// From node 0: everybody whom those who live there have to know.
struct introduce {
  residents all;
};

/// From this node's control port: the world is over.
struct leave {};

template <class Inspector>
auto inspect(Inspector& inspector, call& m) {
  return compat::inspect_fields(inspector, m);
}

template <class Inspector>
auto inspect(Inspector& inspector, introduce& m) {
  return compat::inspect_fields(inspector, m, m.all);
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
