#pragma once

// Typed handles: of each actor in `roster.hpp` one that is called after it, such as
// `client_handle`. A message that its receiver does not take does not compile.

#include "compat.hpp"
#include "roster.hpp"

#define DRAMATURG_CONTROL(X)                                                                       \
  X(to_control, ready)                                                                             \
  X(to_control, confirmed)                                                                         \
  X(to_control, window)                                                                            \
  X(to_control, readings)                                                                          \
  X(to_control, done)

// From another node, too: while a world is set up there, and when an actor fails there.
#define DRAMATURG_CONTROL_REMOTE(X)                                                                \
  X(to_control, residents)                                                                         \
  X(to_control, introduced)                                                                        \
  X(to_control, failed)

#define DRAMATURG_REGISTRAR(X)                                                                     \
  X(to_registrar, call)                                                                            \
  X(to_registrar, introduce)                                                                       \
  X(to_registrar, leave)

// Which is answered with who was born.
#define DRAMATURG_BIRTH(X) X(to_registrar, birth)

#define DRAMATURG_MESSAGES_OF(ACTOR, LIST, X) LIST(X)

#define DRAMATURG_LOCAL_MESSAGES(X)                                                                \
  DRAMATURG_CONTROL(X)                                                                             \
  DRAMATURG_LOCAL_ACTORS(DRAMATURG_MESSAGES_OF, X)

#define DRAMATURG_REMOTE_MESSAGES(X)                                                               \
  DRAMATURG_CONTROL_REMOTE(X)                                                                      \
  DRAMATURG_REGISTRAR(X)                                                                           \
  DRAMATURG_BIRTH(X)                                                                               \
  DRAMATURG_REMOTE_ACTORS(DRAMATURG_MESSAGES_OF, X)

#define DRAMATURG_MESSAGES(X) DRAMATURG_LOCAL_MESSAGES(X) DRAMATURG_REMOTE_MESSAGES(X)

#define DRAMATURG_DECLARE(RECEIVER, MESSAGE)                                                       \
  namespace dramaturg::RECEIVER {                                                                  \
  struct MESSAGE;                                                                                  \
  }
DRAMATURG_MESSAGES(DRAMATURG_DECLARE)

// These never leave their process, so CAF need not know how to serialise them.
#define DRAMATURG_ALLOW(RECEIVER, MESSAGE)                                                         \
  CAF_ALLOW_UNSAFE_MESSAGE_TYPE(dramaturg::RECEIVER::MESSAGE)
DRAMATURG_LOCAL_MESSAGES(DRAMATURG_ALLOW)

DRAMATURG_REGISTER_MESSAGES(DRAMATURG_MESSAGES)

namespace dramaturg {

template <class Nothing, class... Messages>
using handle_of = compat::handle<Messages...>;

#define DRAMATURG_ALSO(RECEIVER, MESSAGE) , RECEIVER::MESSAGE

using control_handle =
    handle_of<void DRAMATURG_CONTROL(DRAMATURG_ALSO) DRAMATURG_CONTROL_REMOTE(DRAMATURG_ALSO)>;
using registrar_handle =
    compat::answering_handle<to_registrar::birth,
                             caf::strong_actor_ptr DRAMATURG_REGISTRAR(DRAMATURG_ALSO)>;

#define DRAMATURG_HANDLE_OF(ACTOR, LIST, X) using ACTOR##_handle = handle_of<void LIST(X)>;
DRAMATURG_LOCAL_ACTORS(DRAMATURG_HANDLE_OF, DRAMATURG_ALSO)
DRAMATURG_REMOTE_ACTORS(DRAMATURG_HANDLE_OF, DRAMATURG_ALSO)

} // namespace dramaturg
