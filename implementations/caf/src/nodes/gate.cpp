#include "nodes/gate.hpp"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

namespace dramaturg {

namespace {

// Of a stranger who connects and says nothing. Peers speak at once.
constexpr timeval patience{1, 0};

std::runtime_error failure(const char* what, const v2::Peer& address, const std::string& why) {
  return std::runtime_error{std::string{what} + ' ' + spell(address) + ": " + why};
}

/// Opens a socket, and has `use` connect or bind it. Throws what failed.
template <class Use>
int open_socket(const v2::Peer& peer, const char* what, Use use) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const auto error =
          getaddrinfo(peer.host().c_str(), std::to_string(peer.port()).c_str(), &hints, &found))
    throw failure(what, peer, gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> address{found, freeaddrinfo};
  const auto fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || !use(fd, *address)) {
    const auto error = errno;
    close(fd);
    throw failure(what, peer, std::strerror(error));
  }
  return fd;
}

bool brings(int connection, const std::string& secret) {
  std::string brought(secret.size(), '\0');
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const auto length = recv(connection, brought.data(), brought.size(), MSG_WAITALL);
  return length == static_cast<ssize_t>(secret.size()) && brought == secret;
}

} // namespace

gate::gate(caf::actor_system& system, const v2::Peer& address, std::string secret,
           caf::strong_actor_ptr host)
    : system_{system}, secret_{std::move(secret)}, host_{std::move(host)},
      port_{static_cast<std::uint16_t>(address.port())},
      socket_{open_socket(address, "cannot listen on",
                          [](int fd, const addrinfo& address) {
                            const int yes = 1;
                            setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
                            return bind(fd, address.ai_addr, address.ai_addrlen) == 0
                                   && listen(fd, SOMAXCONN) == 0;
                          })},
      thread_{[this] { admit(); }} {}

gate::~gate() {
  shutdown(socket_, SHUT_RDWR); // which ends `accept`
  thread_.join();
  close(socket_);
  system_.middleman().unpublish(caf::actor_cast<caf::actor>(host_), port_);
}

void gate::admit() {
  for (;;) {
    const auto connection = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0 && errno != ECONNABORTED && errno != EINTR)
      return;
    if (connection >= 0 && brings(connection, secret_))
      compat::serve(system_, connection, port_, host_);
    else
      close(connection);
  }
}

caf::strong_actor_ptr pass_gate(caf::actor_system& system, const v2::Peer& address,
                                const std::string& secret) {
  const auto connection =
      open_socket(address, "cannot reach", [&](int fd, const addrinfo& address) {
        return connect(fd, address.ai_addr, address.ai_addrlen) == 0
               && send(fd, secret.data(), secret.size(), MSG_NOSIGNAL)
                      == static_cast<ssize_t>(secret.size());
      });
  auto host = compat::connect(system, connection, static_cast<std::uint16_t>(address.port()));
  if (!host)
    throw failure("cannot reach", address, "it does not let this node in");
  return host;
}

std::string spell(const v2::Peer& address) {
  return address.host() + ':' + std::to_string(address.port());
}

} // namespace dramaturg
