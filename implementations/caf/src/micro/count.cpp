// Count (spec/count.md). Definitions stand in the order of the model.
#include "micro/count.hpp"

#include "fold.hpp"
#include "lead.hpp"

#include <utility>
#include <vector>

namespace dramaturg {

namespace {

struct count_actors {
  tally_handle tally;
  std::vector<adder_handle> adders;
  counter_handle counter;
};

/// Starts the adders and sums their totals (COUNT-1).
class tally : public lead<tally_handle> {
public:
  tally(pointer self, environment_ptr environment, std::shared_ptr<const count_actors> actors,
        std::uint32_t adders)
      : lead{self, std::move(environment), make_name(v2::ACTOR_CLASS_TALLY)},
        actors_{std::move(actors)}, adding_{adders} {}

  behavior_type make_behavior() { return {on<&tally::start>{this}, on<&tally::counted>{this}}; }

private:
  void start(const to_tally::start& m) {
    for (const auto& adder : actors_->adders)
      send(adder, to_adder::go{name(), m.salt});
  }

  void counted(const to_tally::counted& m) {
    adds_ += m.adds;
    sum_ += m.sum;
    if (--adding_ > 0)
      return;
    done(adds_, sum_);
    terminate();
  }

  std::shared_ptr<const count_actors> actors_;
  std::uint32_t adding_;
  std::uint64_t adds_ = 0;
  std::uint32_t sum_ = 0;
};

/// Adds, then asks (COUNT-2).
class adder : public actor_state<adder_handle> {
public:
  adder(pointer self, environment_ptr environment, std::uint32_t index,
        std::shared_ptr<const count_actors> actors, std::uint32_t adds)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_ADDER, index)},
        actors_{std::move(actors)}, adds_{adds} {}

  behavior_type make_behavior() { return {on<&adder::go>{this}, on<&adder::total>{this}}; }

private:
  void go(const to_adder::go& m) {
    const auto digest = fold(m.salt, index());
    for (std::uint32_t n = 0; n < adds_; ++n)
      send(actors_->counter, to_counter::add{name(), fold(digest, n)});
    send(actors_->counter, to_counter::get_and_reset{name()});
  }

  void total(const to_adder::total& m) {
    send(actors_->tally, to_tally::counted{name(), m.adds, m.sum});
    terminate();
  }

  std::shared_ptr<const count_actors> actors_;
  std::uint32_t adds_;
};

/// Holds the sum; ends when every adder has asked (COUNT-3).
class counter : public actor_state<counter_handle> {
public:
  counter(pointer self, environment_ptr environment, std::uint32_t adders)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_COUNTER)},
        asking_{adders} {}

  behavior_type make_behavior() {
    return {on<&counter::add>{this}, on<&counter::get_and_reset>{this}};
  }

private:
  void add(const to_counter::add& m) {
    ++adds_;
    sum_ += m.value;
  }

  void get_and_reset(const to_counter::get_and_reset&) {
    send(sender<adder_handle>(),
         to_adder::total{name(), std::exchange(adds_, 0), std::exchange(sum_, 0)});
    if (--asking_ == 0)
      terminate();
  }

  std::uint32_t asking_;
  std::uint64_t adds_ = 0;
  std::uint32_t sum_ = 0;
};

class count final : public benchmark {
public:
  explicit count(const v2::CountParameters& parameters) : parameters_{parameters} {}

  void set_up(const spawner& spawner, inbox&) override {
    const auto& p = parameters_;
    actors_->tally = spawner.spawn<tally>(actors_, p.adders());
    for (std::uint32_t index = 0; index < p.adders(); ++index)
      actors_->adders.push_back(spawner.spawn<adder>(index, actors_, p.adds()));
    actors_->counter = spawner.spawn<counter>(p.adders());
  }

  void start(inbox& inbox, std::uint32_t salt) override {
    inbox.send(actors_->tally, to_tally::start{control_name, salt});
  }

private:
  v2::CountParameters parameters_;
  std::shared_ptr<count_actors> actors_ = std::make_shared<count_actors>();
};

} // namespace

std::unique_ptr<benchmark> make_benchmark(const v2::CountParameters& parameters) {
  return std::make_unique<count>(parameters);
}

} // namespace dramaturg
