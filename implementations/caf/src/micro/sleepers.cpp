// Sleepers (spec/sleepers.md). Definitions stand in the order of the model.
#include "sleepers.hpp"

#include <utility>

namespace dramaturg {

// -- alarm -------------------------------------------------------------------

alarm::alarm(pointer self, cast_ptr<sleepers_cast> cast, const sleepers_parameters& parameters,
             scene_ptr scene)
    : lead{self, make_name(v1::ACTOR_CLASS_ALARM), std::move(scene)}, cast_{std::move(cast)},
      parameters_{parameters} {}

alarm::behavior_type alarm::make_behavior() {
  return {on<&alarm::awake>{this}, on<&alarm::start>{this}};
}

void alarm::start(const to_alarm::start&) {
  begin();
  for (const auto& sleeper : cast_->sleepers)
    send(sleeper, to_sleeper::sleep{name(), 0});
}

void alarm::awake(const to_alarm::awake& m) {
  const auto& p = parameters_;
  ++naps_;
  if (m.number + 1 < p.naps)
    send(sender<sleeper_handle>(), to_sleeper::sleep{name(), m.number + 1});
  if (naps_ == std::uint64_t{p.sleepers} * p.naps)
    done(naps_, 0, 0);
}

// -- sleeper -----------------------------------------------------------------

sleeper::sleeper(pointer self, std::uint32_t index, cast_ptr<sleepers_cast> cast,
                 const sleepers_parameters& parameters, scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_SLEEPER, index), std::move(scene)},
      cast_{std::move(cast)}, naps_{parameters.naps}, delay_{parameters.delay} {}

sleeper::behavior_type sleeper::make_behavior() {
  return {on<&sleeper::sleep>{this}, on<&sleeper::wake>{this}};
}

void sleeper::sleep(const to_sleeper::sleep& m) {
  send_later(delay_, to_sleeper::wake{name(), m.number});
}

void sleeper::wake(const to_sleeper::wake& m) {
  send(cast_->alarm, to_alarm::awake{name(), m.number});
  if (m.number + 1 == naps_)
    terminate();
}

// -- play --------------------------------------------------------------------

namespace {

class sleepers_play final : public play {
public:
  explicit sleepers_play(const v1::SleepersParameters& p)
      : parameters_{p.sleepers(), p.naps(), std::chrono::milliseconds{p.delay()}} {}

  void enter(stage& stage, place) override {
    const auto& p = parameters_;
    cast_->alarm = stage.enter<alarm>(cast_, p);
    for (std::uint32_t index = 0; index < p.sleepers; ++index)
      cast_->sleepers.push_back(stage.enter<sleeper>(index, cast_, p));
  }

  void start(inbox& inbox) override { inbox.send(cast_->alarm, to_alarm::start{control_name}); }

  void write(v1::Receipt& receipt, const totals& report,
             const std::vector<to_control::window>&) const override {
    receipt.mutable_sleepers()->set_naps(report.result);
  }

private:
  sleepers_parameters parameters_;
  std::shared_ptr<sleepers_cast> cast_ = std::make_shared<sleepers_cast>();
};

} // namespace

std::unique_ptr<play> make_play(const v1::SleepersParameters& parameters) {
  return std::make_unique<sleepers_play>(parameters);
}

} // namespace dramaturg
