#pragma once

// Who takes which messages. What the messages carry stands with the benchmarks,
// in chatapp_messages.hpp and pingpong.hpp: they hold handles, which this file
// makes.

#include "compat.hpp"

#define DRAMATURG_LOCAL_MESSAGES(X)                                                                \
  X(to_control, ready)                                                                             \
  X(to_control, confirmed)                                                                         \
  X(to_control, finished)                                                                          \
  X(to_control, played)                                                                            \
  X(to_control, failed)                                                                            \
  X(to_control, abandoned)                                                                         \
  X(to_poker, prepare)                                                                             \
  X(to_poker, settled)                                                                             \
  X(to_poker, act)                                                                                 \
  X(to_poker, turn)                                                                                \
  X(to_poker, run)                                                                                 \
  X(to_poker, confirm)                                                                             \
  X(to_poker, disconnect)                                                                          \
  X(to_poker, finished)                                                                            \
  X(to_directory, login)                                                                           \
  X(to_directory, befriend)                                                                        \
  X(to_directory, settle)                                                                          \
  X(to_directory, settled)                                                                         \
  X(to_directory, poke)                                                                            \
  X(to_directory, act)                                                                             \
  X(to_directory, disconnect)                                                                      \
  X(to_directory, left)                                                                            \
  X(to_client, befriend)                                                                           \
  X(to_client, settle)                                                                             \
  X(to_client, act)                                                                                \
  X(to_client, forward)                                                                            \
  X(to_client, accepted)                                                                           \
  X(to_client, left)                                                                               \
  X(to_client, logout)                                                                             \
  X(to_chat, post)                                                                                 \
  X(to_chat, join)                                                                                 \
  X(to_chat, leave)                                                                                \
  X(to_accumulator, stop)                                                                          \
  X(to_accumulator, bump)                                                                          \
  X(to_ping, start)

#define DRAMATURG_REMOTE_MESSAGES(X)                                                               \
  X(to_ping, pong)                                                                                 \
  X(to_pong, ping)

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

using control_handle =
    compat::handle<to_control::ready, to_control::confirmed, to_control::finished,
                   to_control::played, to_control::failed, to_control::abandoned>;

using poker_handle =
    compat::handle<to_poker::prepare, to_poker::settled, to_poker::act, to_poker::turn,
                   to_poker::run, to_poker::confirm, to_poker::disconnect, to_poker::finished>;

using directory_handle =
    compat::handle<to_directory::login, to_directory::befriend, to_directory::settle,
                   to_directory::settled, to_directory::poke, to_directory::act,
                   to_directory::disconnect, to_directory::left>;

using client_handle =
    compat::handle<to_client::befriend, to_client::settle, to_client::act, to_client::forward,
                   to_client::accepted, to_client::left, to_client::logout>;

using chat_handle = compat::handle<to_chat::post, to_chat::join, to_chat::leave>;

using accumulator_handle = compat::handle<to_accumulator::stop, to_accumulator::bump>;

using ping_handle = compat::handle<to_ping::start, to_ping::pong>;

using pong_handle = compat::handle<to_pong::ping>;

} // namespace dramaturg
