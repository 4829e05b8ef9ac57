#include "nodes/gate.hpp"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

namespace dramaturg {

namespace {

// For a stranger who connects and says nothing. Peers speak at once.
constexpr std::chrono::seconds patience{30};

// Connections at a time that have not brought the secret; more are refused (DIST-6).
constexpr std::size_t most = 64;

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
  // All at once, so that those who say nothing keep nobody waiting.
  std::vector<newcomer> waiting;
  while (accept_into(waiting))
    waiting.erase(std::remove_if(waiting.begin(), waiting.end(),
                                 [this](newcomer& each) { return decide(each); }),
                  waiting.end());
  for (const auto& each : waiting)
    close(each.connection);
}

bool gate::decide(newcomer& it) {
  const auto found = look_at(it);
  if (found == standing::known)
    compat::serve(system_, it.connection, port_, host_);
  else if (found == standing::refused)
    close(it.connection);
  return found != standing::waits;
}

gate::standing gate::look_at(newcomer& it) const {
  std::string piece(secret_.size() - it.brought.size(), '\0');
  const auto length = recv(it.connection, piece.data(), piece.size(), MSG_DONTWAIT);
  if (length < 0 && (errno == EAGAIN || errno == EINTR))
    return std::chrono::steady_clock::now() < it.until ? standing::waits : standing::refused;
  if (length <= 0)
    return standing::refused;
  it.brought.append(piece, 0, static_cast<std::size_t>(length));
  if (it.brought.size() < secret_.size())
    return standing::waits;
  return it.brought == secret_ ? standing::known : standing::refused;
}

bool gate::accept_into(std::vector<newcomer>& waiting) const {
  std::vector<pollfd> polled{{socket_, POLLIN, 0}};
  for (const auto& each : waiting)
    polled.push_back({each.connection, POLLIN, 0});
  const std::chrono::milliseconds second{std::chrono::seconds{1}};
  poll(polled.data(), polled.size(), waiting.empty() ? -1 : static_cast<int>(second.count()));
  if (!polled.front().revents)
    return true;
  const auto connection = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection < 0)
    return errno == ECONNABORTED || errno == EINTR;
  if (waiting.size() < most)
    waiting.push_back({connection, {}, std::chrono::steady_clock::now() + patience});
  else
    close(connection);
  return true;
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
