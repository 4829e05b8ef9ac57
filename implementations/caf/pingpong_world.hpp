#pragma once

#include "pingpong.hpp"
#include "world.hpp"

#include <optional>

namespace dramaturg {

/// An iteration of ping-pong, or one node's half of it: node 0 has ping, node 1
/// has pong.
class pingpong_world final : public world {
public:
  pingpong_world(runtime& runtime, inbox& inbox, scene_ptr scene,
                 const v1::PrepareRequest& request);

  nanos prepare() override;
  v1::Receipt run(const progress& report) override;
  v1::Receipt finish() override;
  void clear() override;

private:
  [[nodiscard]] bool has_ping() const { return !distributed_ || node_ == 0; }
  [[nodiscard]] bool has_pong() const { return !distributed_ || node_ == 1; }

  void publish();
  void connect();
  void record(const inbox::event& event);
  v1::Receipt receipt(std::size_t alive) const;

  std::uint32_t rounds_;
  std::uint32_t node_;
  bool distributed_;
  v1::Peer peer_; // where pong is, in a distributed world
  bool published_ = false;
  ping_handle ping_;
  pong_handle pong_;
  std::optional<to_control::played> pings_; // what pong said when it ended
  std::optional<to_control::played> pongs_; // what ping said upon the last pong
  nanos busy_ = 0;
};

} // namespace dramaturg
