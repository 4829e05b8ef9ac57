#pragma once

// The actors that there are, and who takes which messages: a list for each, and its row in
// one of the two tables, from which `handles.hpp` makes its handle. What the messages carry
// stands with the benchmarks (micro/*.hpp).

#define DRAMATURG_PING(X)                                                                          \
  X(to_ping, start)                                                                                \
  X(to_ping, pong)                                                                                 \
  X(to_ping, tick)

#define DRAMATURG_PONG(X) X(to_pong, ping)

// Who speaks to them is always on their own node: `A(client, DRAMATURG_CLIENT, X)`.
#define DRAMATURG_LOCAL_ACTORS(A, X)

// Who speaks to them may be on another.
#define DRAMATURG_REMOTE_ACTORS(A, X)                                                              \
  A(ping, DRAMATURG_PING, X)                                                                       \
  A(pong, DRAMATURG_PONG, X)
