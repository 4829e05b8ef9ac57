// Sleepers (spec/sleepers.md). Definitions stand in the order of the model.
#include "micro/sleepers.hpp"

#include "fold.hpp"
#include "lead.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace dramaturg {

namespace {

struct sleepers_parameters {
  explicit sleepers_parameters(const v2::SleepersParameters& p)
      : sleepers{p.sleepers()}, naps{p.naps()}, delay{p.delay()} {}

  std::uint32_t sleepers;
  std::uint32_t naps;
  std::uint32_t delay; // in milliseconds
};

struct sleepers_actors {
  alarm_handle alarm;
  std::vector<sleeper_handle> sleepers;
};

/// Sends everybody to sleep, again and again (SLEEP-1).
class alarm : public lead<alarm_handle> {
public:
  alarm(pointer self, environment_ptr environment, std::shared_ptr<const sleepers_actors> actors,
        const sleepers_parameters& parameters)
      : lead{self, std::move(environment), make_name(v2::ACTOR_CLASS_ALARM)},
        actors_{std::move(actors)}, parameters_{parameters}, lulled_(parameters.sleepers) {}

  behavior_type make_behavior() { return {on<&alarm::awake>{this}, on<&alarm::start>{this}}; }

private:
  void start(const to_alarm::start& m) {
    salt_ = m.salt;
    for (std::uint32_t index = 0; index < parameters_.sleepers; ++index)
      lull(actors_->sleepers[index], index, 0);
  }

  void awake(const to_alarm::awake& m) {
    const auto& p = parameters_;
    const auto nap = stopwatch::clock::now() - lulled_[index_of(m.from)];
    shortest_ = std::min(shortest_, nap);
    ++naps_;
    sum_ += m.value;
    if (m.number + 1 < p.naps)
      lull(sender<sleeper_handle>(), index_of(m.from), m.number + 1);
    if (naps_ < std::uint64_t{p.sleepers} * p.naps)
      return;
    send(control(), to_control::done{{naps_, sum_}, stopwatch::stop(), shortest_});
    terminate();
  }

  void lull(const sleeper_handle& sleeper, std::uint32_t index, std::uint32_t number) {
    const auto value = fold(fold(salt_, index), number);
    lulled_[index] = stopwatch::clock::now();
    send(sleeper, to_sleeper::sleep{name(), number, value});
  }

  std::shared_ptr<const sleepers_actors> actors_;
  sleepers_parameters parameters_;
  std::vector<stopwatch::stamp> lulled_; // when each was last sent to sleep (SLEEP-5)
  stopwatch::clock::duration shortest_ = stopwatch::clock::duration::max();
  std::uint32_t salt_ = 0;
  std::uint64_t naps_ = 0;
  std::uint32_t sum_ = 0;
};

/// Sleeps when told to, on the runtime's timer (SLEEP-2).
class sleeper : public actor_state<sleeper_handle> {
public:
  sleeper(pointer self, environment_ptr environment, std::uint32_t index,
          std::shared_ptr<const sleepers_actors> actors, const sleepers_parameters& parameters)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_SLEEPER, index)},
        actors_{std::move(actors)}, naps_{parameters.naps}, delay_{parameters.delay} {}

  behavior_type make_behavior() { return {on<&sleeper::sleep>{this}, on<&sleeper::wake>{this}}; }

private:
  void sleep(const to_sleeper::sleep& m) {
    value_ = m.value;
    send_later(std::chrono::milliseconds{delay_}, to_sleeper::wake{name(), m.number});
  }

  void wake(const to_sleeper::wake& m) {
    send(actors_->alarm, to_alarm::awake{name(), m.number, fold(value_, delay_)});
    if (m.number + 1 == naps_)
      terminate();
  }

  std::shared_ptr<const sleepers_actors> actors_;
  std::uint32_t naps_;
  std::uint32_t delay_; // in milliseconds
  std::uint32_t value_ = 0;
};

class sleepers final : public benchmark {
public:
  explicit sleepers(const v2::SleepersParameters& parameters) : parameters_{parameters} {}

  void set_up(const spawner& spawner, inbox&) override {
    const auto& p = parameters_;
    actors_->alarm = spawner.spawn<alarm>(actors_, p);
    for (std::uint32_t index = 0; index < p.sleepers; ++index)
      actors_->sleepers.push_back(spawner.spawn<sleeper>(index, actors_, p));
  }

  void start(inbox& inbox, std::uint32_t salt) override {
    inbox.send(actors_->alarm, to_alarm::start{control_name, salt});
  }

private:
  sleepers_parameters parameters_;
  std::shared_ptr<sleepers_actors> actors_ = std::make_shared<sleepers_actors>();
};

} // namespace

std::unique_ptr<benchmark> make_benchmark(const v2::SleepersParameters& parameters) {
  return std::make_unique<sleepers>(parameters);
}

} // namespace dramaturg
