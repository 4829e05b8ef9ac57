#pragma once

#include "play.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace dramaturg {

namespace to_receiver {

struct start : message<v1::MESSAGE_KIND_RECEIVER_START> {
  auto fields() { return std::tie(); }
};

struct bang : message<v1::MESSAGE_KIND_RECEIVER_BANG> {
  std::uint64_t number;
  [[nodiscard]] auto args() const { return arguments(number); }
  auto fields() { return std::tie(number); }
};

struct tick : message<v1::MESSAGE_KIND_RECEIVER_TICK> {
  std::uint32_t number;
  [[nodiscard]] auto args() const { return arguments(number); }
  auto fields() { return std::tie(number); }
};

struct finished : message<v1::MESSAGE_KIND_RECEIVER_FINISHED> {
  std::uint64_t answers;
  [[nodiscard]] auto args() const { return arguments(answers); }
  auto fields() { return std::tie(answers); }
};

} // namespace to_receiver

namespace to_sender {

struct go : message<v1::MESSAGE_KIND_SENDER_GO> {
  auto fields() { return std::tie(); }
};

struct answer : message<v1::MESSAGE_KIND_SENDER_ANSWER> {
  std::uint64_t number;
  [[nodiscard]] auto args() const { return arguments(number); }
  auto fields() { return std::tie(number); }
};

struct stop : message<v1::MESSAGE_KIND_SENDER_STOP> {
  auto fields() { return std::tie(); }
};

} // namespace to_sender

struct bang_parameters {
  std::uint32_t senders;
  std::uint32_t messages;
  window_parameters windows;
};

struct bang_cast {
  receiver_handle receiver;
  std::vector<sender_handle> senders;
};

/// Starts the senders, answers them, waits until all have had their answers (BANG-1,
/// BANG-5).
class receiver : public windowed_lead<receiver_handle, to_receiver::tick> {
public:
  receiver(pointer self, cast_ptr<bang_cast> cast, const bang_parameters& parameters,
           scene_ptr scene);

  behavior_type make_behavior();

private:
  void start(const to_receiver::start& m);
  void bang(const to_receiver::bang& m);
  void tick(const to_receiver::tick& m);
  void finished(const to_receiver::finished& m);

  cast_ptr<bang_cast> cast_;
  std::uint32_t sending_;
  std::uint64_t bangs_ = 0;
  std::uint64_t answers_ = 0;
};

/// Sends everything without waiting, then counts the answers (BANG-2, BANG-6).
class sender : public actor_state<sender_handle> {
public:
  sender(pointer self, std::uint32_t index, cast_ptr<bang_cast> cast,
         const bang_parameters& parameters, scene_ptr scene);

  behavior_type make_behavior();

private:
  void go(const to_sender::go& m);
  void answer(const to_sender::answer& m);
  void stop(const to_sender::stop& m);

  void bang();
  void end_when_done();

  cast_ptr<bang_cast> cast_;
  std::uint32_t messages_;
  std::uint64_t sent_ = 0;
  std::uint64_t answers_ = 0;
  bool banging_;
};

std::unique_ptr<play> make_play(const v1::BangParameters& parameters);

} // namespace dramaturg
