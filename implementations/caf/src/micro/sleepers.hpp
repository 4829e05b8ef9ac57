#pragma once

#include "play.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace dramaturg {

namespace to_alarm {

struct start : message<v1::MESSAGE_KIND_ALARM_START> {};

struct awake : message<v1::MESSAGE_KIND_ALARM_AWAKE> {
  std::uint32_t number;
  [[nodiscard]] auto args() const { return arguments(number); }
};

} // namespace to_alarm

namespace to_sleeper {

struct sleep : message<v1::MESSAGE_KIND_SLEEPER_SLEEP> {
  std::uint32_t number;
  [[nodiscard]] auto args() const { return arguments(number); }
};

struct wake : message<v1::MESSAGE_KIND_SLEEPER_WAKE> {
  std::uint32_t number;
  [[nodiscard]] auto args() const { return arguments(number); }
};

} // namespace to_sleeper

struct sleepers_parameters {
  std::uint32_t sleepers;
  std::uint32_t naps;
  std::chrono::milliseconds delay;
};

struct sleepers_cast {
  alarm_handle alarm;
  std::vector<sleeper_handle> sleepers;
};

/// Sends everybody to sleep, again and again (SLEEP-1).
class alarm : public lead<alarm_handle> {
public:
  alarm(pointer self, cast_ptr<sleepers_cast> cast, const sleepers_parameters& parameters,
        scene_ptr scene);

  behavior_type make_behavior();

private:
  void start(const to_alarm::start& m);
  void awake(const to_alarm::awake& m);

  cast_ptr<sleepers_cast> cast_;
  sleepers_parameters parameters_;
  std::uint64_t naps_ = 0;
};

/// Sleeps when told to, on the runtime's timer (SLEEP-2).
class sleeper : public actor_state<sleeper_handle> {
public:
  sleeper(pointer self, std::uint32_t index, cast_ptr<sleepers_cast> cast,
          const sleepers_parameters& parameters, scene_ptr scene);

  behavior_type make_behavior();

private:
  void sleep(const to_sleeper::sleep& m);
  void wake(const to_sleeper::wake& m);

  cast_ptr<sleepers_cast> cast_;
  std::uint32_t naps_;
  std::chrono::milliseconds delay_;
};

std::unique_ptr<play> make_play(const v1::SleepersParameters& parameters);

} // namespace dramaturg
