#pragma once

#include "play.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace dramaturg {

namespace to_coordinator {

struct start : message<v1::MESSAGE_KIND_COORDINATOR_START> {
  auto fields() { return std::tie(); }
};

struct tick : message<v1::MESSAGE_KIND_COORDINATOR_TICK> {
  std::uint32_t number;
  [[nodiscard]] auto args() const { return arguments(number); }
  auto fields() { return std::tie(number); }
};

struct marked : message<v1::MESSAGE_KIND_COORDINATOR_MARKED> {
  std::uint32_t number;
  std::uint64_t pongs;
  [[nodiscard]] auto args() const { return arguments(number, pongs); }
  auto fields() { return std::tie(number, pongs); }
};

struct idle : message<v1::MESSAGE_KIND_COORDINATOR_IDLE> {
  auto fields() { return std::tie(); }
};

struct finished : message<v1::MESSAGE_KIND_COORDINATOR_FINISHED> {
  std::uint64_t pings;
  std::uint64_t pongs;
  [[nodiscard]] auto args() const { return arguments(pings, pongs); }
  auto fields() { return std::tie(pings, pongs); }
};

} // namespace to_coordinator

namespace to_peer {

struct go : message<v1::MESSAGE_KIND_PEER_GO> {
  auto fields() { return std::tie(); }
};

struct ping : message<v1::MESSAGE_KIND_PEER_PING> {
  std::uint32_t round;
  [[nodiscard]] auto args() const { return arguments(round); }
  auto fields() { return std::tie(round); }
};

struct pong : message<v1::MESSAGE_KIND_PEER_PONG> {
  std::uint32_t round;
  [[nodiscard]] auto args() const { return arguments(round); }
  auto fields() { return std::tie(round); }
};

struct mark : message<v1::MESSAGE_KIND_PEER_MARK> {
  std::uint32_t number;
  [[nodiscard]] auto args() const { return arguments(number); }
  auto fields() { return std::tie(number); }
};

struct stop : message<v1::MESSAGE_KIND_PEER_STOP> {
  auto fields() { return std::tie(); }
};

} // namespace to_peer

struct big_parameters {
  std::uint32_t peers;
  std::uint32_t rounds;
  window_parameters windows;
};

struct big_cast {
  coordinator_handle coordinator;
  std::vector<peer_handle> peers;
};

/// Starts the peers and waits for them (BIG-1, BIG-5).
class coordinator : public windowed_lead<coordinator_handle, to_coordinator::tick> {
public:
  coordinator(pointer self, cast_ptr<big_cast> cast, const big_parameters& parameters,
              scene_ptr scene);

  behavior_type make_behavior();

private:
  struct mark {
    std::uint32_t answers = 0;
    std::uint64_t pongs = 0;
  };

  void start(const to_coordinator::start& m);
  void tick(const to_coordinator::tick& m);
  void marked(const to_coordinator::marked& m);
  void idle(const to_coordinator::idle& m);
  void finished(const to_coordinator::finished& m);

  template <class Message>
  void tell_all(const Message& message);

  cast_ptr<big_cast> cast_;
  std::uint32_t peers_;
  std::uint32_t playing_;
  std::uint64_t pings_ = 0;
  std::uint64_t pongs_ = 0;
  std::vector<mark> marks_; // by window
  std::uint32_t waiting_;
};

/// Pings its neighbours in turn, starting with the next one (BIG-2, BIG-6).
class peer : public actor_state<peer_handle> {
public:
  peer(pointer self, std::uint32_t index, cast_ptr<big_cast> cast, const big_parameters& parameters,
       scene_ptr scene);

  behavior_type make_behavior();

private:
  void go(const to_peer::go& m);
  void ping(const to_peer::ping& m);
  void pong(const to_peer::pong& m);
  void mark(const to_peer::mark& m);
  void stop(const to_peer::stop& m);

  [[nodiscard]] std::uint64_t total() const;
  void ping_next();
  void end_when_done();
  void finish();

  cast_ptr<big_cast> cast_;
  big_parameters parameters_;
  std::uint32_t target_; // whom to ping next
  std::uint32_t round_ = 0;
  std::uint64_t pings_ = 0;
  std::uint64_t pongs_ = 0;
  std::uint64_t marked_ = 0;
  bool pinging_ = true;
};

std::unique_ptr<play> make_play(const v1::BigParameters& parameters);

} // namespace dramaturg
