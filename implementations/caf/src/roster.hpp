#pragma once

// The actors that there are, and who takes which messages: a list for each, and its row in
// one of the two tables, from which `handles.hpp` makes its handle. What the messages carry
// stands with the benchmarks (chatapp/messages.hpp, micro/*.hpp).

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

#define DRAMATURG_SOURCE(X)                                                                        \
  X(to_source, start)                                                                              \
  X(to_source, arrive)                                                                             \
  X(to_source, answer)                                                                             \
  X(to_source, drained)                                                                            \
  X(to_source, disconnect)

#define DRAMATURG_BALANCER(X)                                                                      \
  X(to_balancer, request)                                                                          \
  X(to_balancer, idle)                                                                             \
  X(to_balancer, close)

#define DRAMATURG_SERVER(X)                                                                        \
  X(to_server, work)                                                                               \
  X(to_server, stop)

// Who speaks to them is always on their own node.
#define DRAMATURG_LOCAL_ACTORS(A, X)                                                               \
  A(worker, DRAMATURG_WORKER, X)                                                                   \
  A(tally, DRAMATURG_TALLY, X)                                                                     \
  A(adder, DRAMATURG_ADDER, X)                                                                     \
  A(counter, DRAMATURG_COUNTER, X)                                                                 \
  A(link, DRAMATURG_LINK, X)                                                                       \
  A(master, DRAMATURG_MASTER, X)                                                                   \
  A(runner, DRAMATURG_RUNNER, X)                                                                   \
  A(alarm, DRAMATURG_ALARM, X)                                                                     \
  A(sleeper, DRAMATURG_SLEEPER, X)                                                                 \
  A(sorter, DRAMATURG_SORTER, X)                                                                   \
  A(employer, DRAMATURG_EMPLOYER, X)                                                               \
  A(source, DRAMATURG_SOURCE, X)                                                                   \
  A(balancer, DRAMATURG_BALANCER, X)                                                               \
  A(server, DRAMATURG_SERVER, X)

// Who speaks to them may be on another.
#define DRAMATURG_REMOTE_ACTORS(A, X)                                                              \
  A(poker, DRAMATURG_POKER, X)                                                                     \
  A(directory, DRAMATURG_DIRECTORY, X)                                                             \
  A(client, DRAMATURG_CLIENT, X)                                                                   \
  A(chat, DRAMATURG_CHAT, X)                                                                       \
  A(accumulator, DRAMATURG_ACCUMULATOR, X)                                                         \
  A(ping, DRAMATURG_PING, X)                                                                       \
  A(pong, DRAMATURG_PONG, X)                                                                       \
  A(coordinator, DRAMATURG_COORDINATOR, X)                                                         \
  A(peer, DRAMATURG_PEER, X)                                                                       \
  A(receiver, DRAMATURG_RECEIVER, X)                                                               \
  A(sender, DRAMATURG_SENDER, X)                                                                   \
  A(dispatcher, DRAMATURG_DISPATCHER, X)                                                           \
  A(browser, DRAMATURG_BROWSER, X)                                                                 \
  A(router, DRAMATURG_ROUTER, X)                                                                   \
  A(employee, DRAMATURG_EMPLOYEE, X)
