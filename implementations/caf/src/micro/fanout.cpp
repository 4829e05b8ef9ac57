// Fanout (spec/fanout.md). Definitions stand in the order of the model.
#include "micro/fanout.hpp"

#include "fold.hpp"
#include "lead.hpp"

#include <algorithm>
#include <vector>

namespace dramaturg {

namespace {

struct fanout_parameters {
  explicit fanout_parameters(const v2::FanoutParameters& p)
      : runners{p.runners()}, tasks{p.tasks()}, window{p.window()} {}

  std::uint32_t runners;
  std::uint32_t tasks;
  std::uint32_t window;
};

struct fanout_actors {
  master_handle master;
  std::vector<runner_handle> runners;
};

/// Hands out tasks, counts what is completed (FANOUT-1).
class master : public lead<master_handle> {
public:
  master(pointer self, environment_ptr environment, std::shared_ptr<const fanout_actors> actors,
         const fanout_parameters& parameters)
      : lead{self, std::move(environment), make_name(v2::ACTOR_CLASS_MASTER)},
        actors_{std::move(actors)}, parameters_{parameters}, given_(parameters.runners) {}

  behavior_type make_behavior() { return {on<&master::completed>{this}, on<&master::start>{this}}; }

private:
  void start(const to_master::start& m) {
    const auto& p = parameters_;
    salt_ = m.salt;
    for (auto left = p.window == 0 ? p.tasks : std::min(p.window, p.tasks); left > 0; --left)
      for (std::uint32_t index = 0; index < p.runners; ++index)
        give(index);
  }

  void completed(const to_master::completed& m) {
    const auto& p = parameters_;
    ++completed_;
    sum_ += m.value;
    if (const auto index = index_of(m.from); given_[index] < p.tasks)
      give(index);
    if (completed_ < std::uint64_t{p.runners} * p.tasks)
      return;
    done(completed_, sum_);
    terminate();
  }

  void give(std::uint32_t index) {
    const auto number = given_[index]++;
    send(actors_->runners[index],
         to_runner::task{name(), number, fold(fold(salt_, index), number)});
  }

  std::shared_ptr<const fanout_actors> actors_;
  fanout_parameters parameters_;
  std::uint32_t salt_ = 0;
  std::vector<std::uint32_t> given_;
  std::uint64_t completed_ = 0;
  std::uint32_t sum_ = 0;
};

/// Takes tasks and answers each (FANOUT-2).
class runner : public actor_state<runner_handle> {
public:
  runner(pointer self, environment_ptr environment, std::uint32_t index,
         std::shared_ptr<const fanout_actors> actors, std::uint32_t tasks)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_RUNNER, index)},
        actors_{std::move(actors)}, tasks_{tasks} {}

  behavior_type make_behavior() { return {on<&runner::task>{this}}; }

private:
  void task(const to_runner::task& m) {
    send(actors_->master, to_master::completed{name(), m.number, fold(m.value, taken_++)});
    if (taken_ == tasks_)
      terminate();
  }

  std::shared_ptr<const fanout_actors> actors_;
  std::uint32_t tasks_;
  std::uint32_t taken_ = 0;
};

class fanout final : public benchmark {
public:
  explicit fanout(const v2::FanoutParameters& parameters) : parameters_{parameters} {}

  void set_up(const spawner& spawner, inbox&) override {
    const auto& p = parameters_;
    actors_->master = spawner.spawn<master>(actors_, p);
    for (std::uint32_t index = 0; index < p.runners; ++index)
      actors_->runners.push_back(spawner.spawn<runner>(index, actors_, p.tasks));
  }

  void start(inbox& inbox, std::uint32_t salt) override {
    inbox.send(actors_->master, to_master::start{control_name, salt});
  }

private:
  fanout_parameters parameters_;
  std::shared_ptr<fanout_actors> actors_ = std::make_shared<fanout_actors>();
};

} // namespace

std::unique_ptr<benchmark> make_benchmark(const v2::FanoutParameters& parameters) {
  return std::make_unique<fanout>(parameters);
}

} // namespace dramaturg
