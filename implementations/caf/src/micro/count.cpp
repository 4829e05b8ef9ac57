// Count (spec/count.md). Definitions stand in the order of the model.
#include "count.hpp"

#include <utility>

namespace dramaturg {

// -- tally -------------------------------------------------------------------

tally::tally(pointer self, cast_ptr<count_cast> cast, std::uint32_t adders, scene_ptr scene)
    : lead{self, make_name(v1::ACTOR_CLASS_TALLY), std::move(scene)}, cast_{std::move(cast)},
      adding_{adders} {}

tally::behavior_type tally::make_behavior() {
  return {on<&tally::start>{this}, on<&tally::counted>{this}};
}

void tally::start(const to_tally::start&) {
  begin();
  for (const auto& adder : cast_->adders)
    send(adder, to_adder::go{name()});
}

void tally::counted(const to_tally::counted& m) {
  adds_ += m.adds;
  sum_ += m.sum;
  if (--adding_ == 0)
    done(adds_, sum_, 0);
}

// -- adder -------------------------------------------------------------------

adder::adder(pointer self, std::uint32_t index, cast_ptr<count_cast> cast, std::uint32_t adds,
             scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_ADDER, index), std::move(scene)},
      cast_{std::move(cast)}, adds_{adds} {}

adder::behavior_type adder::make_behavior() {
  return {on<&adder::go>{this}, on<&adder::total>{this}};
}

void adder::go(const to_adder::go&) {
  repeat(adds_, [&](std::uint32_t i) { send(cast_->counter, to_counter::add{name(), i + 1}); });
  send(cast_->counter, to_counter::get_and_reset{name()});
}

void adder::total(const to_adder::total& m) {
  send(cast_->tally, to_tally::counted{name(), m.adds, m.sum});
  terminate();
}

// -- counter -----------------------------------------------------------------

counter::counter(pointer self, std::uint32_t adders, scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_COUNTER), std::move(scene)}, asking_{adders} {}

counter::behavior_type counter::make_behavior() {
  return {on<&counter::add>{this}, on<&counter::get_and_reset>{this}};
}

void counter::add(const to_counter::add& m) {
  ++adds_;
  sum_ += m.value;
}

void counter::get_and_reset(const to_counter::get_and_reset&) {
  send(sender<adder_handle>(),
       to_adder::total{name(), std::exchange(adds_, 0), std::exchange(sum_, 0)});
  if (--asking_ == 0)
    terminate();
}

// -- play --------------------------------------------------------------------

namespace {

class count_play final : public play {
public:
  explicit count_play(const v1::CountParameters& parameters) : parameters_{parameters} {}

  void enter(stage& stage, place) override {
    const auto& p = parameters_;
    cast_->tally = stage.enter<tally>(cast_, p.adders());
    for (std::uint32_t index = 0; index < p.adders(); ++index)
      cast_->adders.push_back(stage.enter<adder>(index, cast_, p.adds()));
    cast_->counter = stage.enter<counter>(p.adders());
  }

  void start(inbox& inbox) override { inbox.send(cast_->tally, to_tally::start{control_name}); }

  void write(v1::Receipt& receipt, const totals& report,
             const std::vector<to_control::window>&) const override {
    receipt.mutable_count()->set_adds(report.result);
    receipt.mutable_count()->set_sum(report.check);
  }

private:
  v1::CountParameters parameters_;
  std::shared_ptr<count_cast> cast_ = std::make_shared<count_cast>();
};

} // namespace

std::unique_ptr<play> make_play(const v1::CountParameters& parameters) {
  return std::make_unique<count_play>(parameters);
}

} // namespace dramaturg
