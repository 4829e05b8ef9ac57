#pragma once

#include "play.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace dramaturg {

namespace to_master {

struct start : message<v1::MESSAGE_KIND_MASTER_START> {};

struct completed : message<v1::MESSAGE_KIND_MASTER_COMPLETED> {
  std::uint32_t number;
  std::uint32_t attempted;
  [[nodiscard]] auto args() const { return arguments(number, attempted); }
};

} // namespace to_master

namespace to_runner {

struct task : message<v1::MESSAGE_KIND_RUNNER_TASK> {
  std::uint32_t number;
  [[nodiscard]] auto args() const { return arguments(number); }
};

} // namespace to_runner

struct fanout_parameters {
  std::uint32_t runners;
  std::uint32_t tasks;
  std::uint32_t window;
};

struct fanout_cast {
  master_handle master;
  std::vector<runner_handle> runners;
};

/// Hands out tasks, counts what is completed (FANOUT-1).
class master : public lead<master_handle> {
public:
  master(pointer self, cast_ptr<fanout_cast> cast, const fanout_parameters& parameters,
         scene_ptr scene);

  behavior_type make_behavior();

private:
  void start(const to_master::start& m);
  void completed(const to_master::completed& m);

  void give(std::uint32_t index);

  cast_ptr<fanout_cast> cast_;
  fanout_parameters parameters_;
  std::vector<std::uint32_t> given_;
  std::uint64_t attempted_ = 0;
  std::uint64_t completed_ = 0;
};

/// Takes tasks and answers each (FANOUT-2).
class runner : public actor_state<runner_handle> {
public:
  runner(pointer self, std::uint32_t index, cast_ptr<fanout_cast> cast, std::uint32_t tasks,
         scene_ptr scene);

  behavior_type make_behavior();

private:
  void task(const to_runner::task& m);

  cast_ptr<fanout_cast> cast_;
  std::uint32_t tasks_;
  std::uint32_t attempted_ = 0;
};

std::unique_ptr<play> make_play(const v1::FanoutParameters& parameters);

} // namespace dramaturg
