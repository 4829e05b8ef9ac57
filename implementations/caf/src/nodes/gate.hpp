#pragma once

#include "compat.hpp"
#include "dramaturg/v2/control.pb.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace dramaturg {

/// Where a node listens for its peers. CAF itself answers whoever connects, and delivers
/// what a stranger sends to any actor whose number he guesses. So it is given a
/// connection only when the world's secret has come through it (DIST-6).
class gate {
public:
  /// Those who bring the secret are connected with `host`. Throws if nobody can be
  /// listened for at that address.
  gate(caf::actor_system& system, const v2::Peer& address, std::string secret,
       caf::strong_actor_ptr host);
  ~gate();

  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;

private:
  /// A connection that has not brought the secret yet.
  struct newcomer {
    int connection;
    std::string brought;
    std::chrono::steady_clock::time_point until;
  };

  enum class standing { waits, known, refused };

  void admit();

  /// Waits for the next thing to happen, a second at most while somebody is waiting, and takes
  /// whoever connects. False when the gate is closed.
  bool accept_into(std::vector<newcomer>& waiting) const;

  /// Lets in whoever has brought the secret, and refuses whoever has not. False for one who has
  /// yet to say enough.
  bool decide(newcomer& it);

  /// Reads as many bytes as the secret has, and none that follow: those are for CAF.
  standing look_at(newcomer& it) const;

  caf::actor_system& system_;
  std::string secret_;
  caf::strong_actor_ptr host_;
  std::uint16_t port_;
  int socket_;
  std::thread thread_;
};

/// Passes the gate at that address. Returns its host; throws if that cannot be reached.
caf::strong_actor_ptr pass_gate(caf::actor_system& system, const v2::Peer& address,
                                const std::string& secret);

/// An address as people read it.
std::string spell(const v2::Peer& address);

} // namespace dramaturg
