#pragma once

// Who takes which messages: a list for each actor, from which its handle is made.
// What the messages carry stands with the benchmarks (chatapp/messages.hpp, micro/*.hpp):
// they hold handles, which this file makes.

#include "compat.hpp"

#define DRAMATURG_CONTROL(X)                                                                       \
  X(to_control, ready)                                                                             \
  X(to_control, confirmed)                                                                         \
  X(to_control, window)                                                                            \
  X(to_control, done)                                                                              \
  X(to_control, failed)

// From another node, while a world is set up there.
#define DRAMATURG_CONTROL_SETUP(X)                                                                 \
  X(to_control, residents)                                                                         \
  X(to_control, introduced)

#define DRAMATURG_REGISTRAR(X)                                                                     \
  X(to_registrar, call)                                                                            \
  X(to_registrar, introduce)                                                                       \
  X(to_registrar, leave)

#define DRAMATURG_POKER(X)                                                                         \
  X(to_poker, prepare)                                                                             \
  X(to_poker, settled)                                                                             \
  X(to_poker, act)                                                                                 \
  X(to_poker, turn)                                                                                \
  X(to_poker, run)                                                                                 \
  X(to_poker, confirm)                                                                             \
  X(to_poker, disconnect)                                                                          \
  X(to_poker, finished)

#define DRAMATURG_DIRECTORY(X)                                                                     \
  X(to_directory, login)                                                                           \
  X(to_directory, befriend)                                                                        \
  X(to_directory, settle)                                                                          \
  X(to_directory, settled)                                                                         \
  X(to_directory, poke)                                                                            \
  X(to_directory, act)                                                                             \
  X(to_directory, disconnect)                                                                      \
  X(to_directory, left)

#define DRAMATURG_CLIENT(X)                                                                        \
  X(to_client, befriend)                                                                           \
  X(to_client, settle)                                                                             \
  X(to_client, act)                                                                                \
  X(to_client, forward)                                                                            \
  X(to_client, accepted)                                                                           \
  X(to_client, left)                                                                               \
  X(to_client, logout)

#define DRAMATURG_CHAT(X)                                                                          \
  X(to_chat, post)                                                                                 \
  X(to_chat, join)                                                                                 \
  X(to_chat, leave)

#define DRAMATURG_ACCUMULATOR(X)                                                                   \
  X(to_accumulator, stop)                                                                          \
  X(to_accumulator, bump)

#define DRAMATURG_PING(X)                                                                          \
  X(to_ping, start)                                                                                \
  X(to_ping, pong)                                                                                 \
  X(to_ping, tick)

#define DRAMATURG_PONG(X) X(to_pong, ping)

#define DRAMATURG_COORDINATOR(X)                                                                   \
  X(to_coordinator, start)                                                                         \
  X(to_coordinator, tick)                                                                          \
  X(to_coordinator, marked)                                                                        \
  X(to_coordinator, idle)                                                                          \
  X(to_coordinator, finished)

#define DRAMATURG_PEER(X)                                                                          \
  X(to_peer, go)                                                                                   \
  X(to_peer, ping)                                                                                 \
  X(to_peer, pong)                                                                                 \
  X(to_peer, mark)                                                                                 \
  X(to_peer, stop)

#define DRAMATURG_RECEIVER(X)                                                                      \
  X(to_receiver, start)                                                                            \
  X(to_receiver, bang)                                                                             \
  X(to_receiver, tick)                                                                             \
  X(to_receiver, finished)

#define DRAMATURG_SENDER(X)                                                                        \
  X(to_sender, go)                                                                                 \
  X(to_sender, answer)                                                                             \
  X(to_sender, stop)

#define DRAMATURG_DISPATCHER(X)                                                                    \
  X(to_dispatcher, start)                                                                          \
  X(to_dispatcher, request)                                                                        \
  X(to_dispatcher, idle)                                                                           \
  X(to_dispatcher, finished)                                                                       \
  X(to_dispatcher, disconnect)

#define DRAMATURG_WORKER(X)                                                                        \
  X(to_worker, work)                                                                               \
  X(to_worker, stop)

#define DRAMATURG_BROWSER(X)                                                                       \
  X(to_browser, go)                                                                                \
  X(to_browser, answer)

#define DRAMATURG_TALLY(X)                                                                         \
  X(to_tally, start)                                                                               \
  X(to_tally, counted)

#define DRAMATURG_ADDER(X)                                                                         \
  X(to_adder, go)                                                                                  \
  X(to_adder, total)

#define DRAMATURG_COUNTER(X)                                                                       \
  X(to_counter, add)                                                                               \
  X(to_counter, get_and_reset)

#define DRAMATURG_LINK(X)                                                                          \
  X(to_link, grow)                                                                                 \
  X(to_link, finish)

#define DRAMATURG_MASTER(X)                                                                        \
  X(to_master, start)                                                                              \
  X(to_master, completed)

#define DRAMATURG_RUNNER(X) X(to_runner, task)

#define DRAMATURG_ALARM(X)                                                                         \
  X(to_alarm, start)                                                                               \
  X(to_alarm, awake)

#define DRAMATURG_SLEEPER(X)                                                                       \
  X(to_sleeper, sleep)                                                                             \
  X(to_sleeper, wake)

#define DRAMATURG_SORTER(X)                                                                        \
  X(to_sorter, sort)                                                                               \
  X(to_sorter, sorted)

#define DRAMATURG_EMPLOYER(X)                                                                      \
  X(to_employer, start)                                                                            \
  X(to_employer, request)                                                                          \
  X(to_employer, disconnect)

#define DRAMATURG_ROUTER(X)                                                                        \
  X(to_router, request)                                                                            \
  X(to_router, task)                                                                               \
  X(to_router, dismiss)

#define DRAMATURG_EMPLOYEE(X)                                                                      \
  X(to_employee, go)                                                                               \
  X(to_employee, task)                                                                             \
  X(to_employee, dismiss)

#define DRAMATURG_LOCAL_MESSAGES(X)                                                                \
  DRAMATURG_CONTROL(X)                                                                             \
  DRAMATURG_POKER(X)                                                                               \
  DRAMATURG_DIRECTORY(X)                                                                           \
  DRAMATURG_CLIENT(X)                                                                              \
  DRAMATURG_CHAT(X)                                                                                \
  DRAMATURG_ACCUMULATOR(X)                                                                         \
  DRAMATURG_WORKER(X)                                                                              \
  DRAMATURG_TALLY(X)                                                                               \
  DRAMATURG_ADDER(X)                                                                               \
  DRAMATURG_COUNTER(X)                                                                             \
  DRAMATURG_LINK(X)                                                                                \
  DRAMATURG_MASTER(X)                                                                              \
  DRAMATURG_RUNNER(X)                                                                              \
  DRAMATURG_ALARM(X)                                                                               \
  DRAMATURG_SLEEPER(X)                                                                             \
  DRAMATURG_SORTER(X)                                                                              \
  DRAMATURG_EMPLOYER(X)                                                                            \
  DRAMATURG_ROUTER(X)                                                                              \
  DRAMATURG_EMPLOYEE(X)

// What actors take that may be on another node than who speaks to them.
#define DRAMATURG_REMOTE_MESSAGES(X)                                                               \
  DRAMATURG_CONTROL_SETUP(X)                                                                       \
  DRAMATURG_REGISTRAR(X)                                                                           \
  DRAMATURG_PING(X)                                                                                \
  DRAMATURG_PONG(X)                                                                                \
  DRAMATURG_COORDINATOR(X)                                                                         \
  DRAMATURG_PEER(X)                                                                                \
  DRAMATURG_RECEIVER(X)                                                                            \
  DRAMATURG_SENDER(X)                                                                              \
  DRAMATURG_DISPATCHER(X)                                                                          \
  DRAMATURG_BROWSER(X)

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
#define DRAMATURG_HANDLE(LIST) handle_of<void LIST(DRAMATURG_ALSO)>

using control_handle =
    handle_of<void DRAMATURG_CONTROL(DRAMATURG_ALSO) DRAMATURG_CONTROL_SETUP(DRAMATURG_ALSO)>;
using registrar_handle = DRAMATURG_HANDLE(DRAMATURG_REGISTRAR);

using poker_handle = DRAMATURG_HANDLE(DRAMATURG_POKER);
using directory_handle = DRAMATURG_HANDLE(DRAMATURG_DIRECTORY);
using client_handle = DRAMATURG_HANDLE(DRAMATURG_CLIENT);
using chat_handle = DRAMATURG_HANDLE(DRAMATURG_CHAT);
using accumulator_handle = DRAMATURG_HANDLE(DRAMATURG_ACCUMULATOR);

using ping_handle = DRAMATURG_HANDLE(DRAMATURG_PING);
using pong_handle = DRAMATURG_HANDLE(DRAMATURG_PONG);

using coordinator_handle = DRAMATURG_HANDLE(DRAMATURG_COORDINATOR);
using peer_handle = DRAMATURG_HANDLE(DRAMATURG_PEER);

using receiver_handle = DRAMATURG_HANDLE(DRAMATURG_RECEIVER);
using sender_handle = DRAMATURG_HANDLE(DRAMATURG_SENDER);

using dispatcher_handle = DRAMATURG_HANDLE(DRAMATURG_DISPATCHER);
using worker_handle = DRAMATURG_HANDLE(DRAMATURG_WORKER);
using browser_handle = DRAMATURG_HANDLE(DRAMATURG_BROWSER);

using tally_handle = DRAMATURG_HANDLE(DRAMATURG_TALLY);
using adder_handle = DRAMATURG_HANDLE(DRAMATURG_ADDER);
using counter_handle = DRAMATURG_HANDLE(DRAMATURG_COUNTER);

using link_handle = DRAMATURG_HANDLE(DRAMATURG_LINK);

using master_handle = DRAMATURG_HANDLE(DRAMATURG_MASTER);
using runner_handle = DRAMATURG_HANDLE(DRAMATURG_RUNNER);

using alarm_handle = DRAMATURG_HANDLE(DRAMATURG_ALARM);
using sleeper_handle = DRAMATURG_HANDLE(DRAMATURG_SLEEPER);

using sorter_handle = DRAMATURG_HANDLE(DRAMATURG_SORTER);

using employer_handle = DRAMATURG_HANDLE(DRAMATURG_EMPLOYER);
using router_handle = DRAMATURG_HANDLE(DRAMATURG_ROUTER);
using employee_handle = DRAMATURG_HANDLE(DRAMATURG_EMPLOYEE);

} // namespace dramaturg
