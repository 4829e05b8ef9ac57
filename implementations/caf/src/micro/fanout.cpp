// Fanout (spec/fanout.md). Definitions stand in the order of the model.
#include "fanout.hpp"

#include <algorithm>
#include <utility>

namespace dramaturg {

// -- master ------------------------------------------------------------------

master::master(pointer self, cast_ptr<fanout_cast> cast, const fanout_parameters& parameters,
               scene_ptr scene)
    : lead{self, make_name(v1::ACTOR_CLASS_MASTER), std::move(scene)}, cast_{std::move(cast)},
      parameters_{parameters}, given_(parameters.runners) {}

master::behavior_type master::make_behavior() {
  return {on<&master::completed>{this}, on<&master::start>{this}};
}

void master::start(const to_master::start&) {
  const auto& p = parameters_;
  begin();
  repeat(p.window == 0 ? p.tasks : std::min(p.window, p.tasks), [&](std::uint32_t) {
    for (std::uint32_t index = 0; index < p.runners; ++index)
      give(index);
  });
}

void master::completed(const to_master::completed& m) {
  const auto& p = parameters_;
  ++completed_;
  if (m.attempted == p.tasks)
    attempted_ += m.attempted;
  if (const auto index = index_of(m.from); given_[index] < p.tasks)
    give(index);
  if (completed_ == std::uint64_t{p.runners} * p.tasks)
    done(attempted_, completed_, 0);
}

void master::give(std::uint32_t index) {
  send(cast_->runners[index], to_runner::task{name(), given_[index]++});
}

// -- runner ------------------------------------------------------------------

runner::runner(pointer self, std::uint32_t index, cast_ptr<fanout_cast> cast, std::uint32_t tasks,
               scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_RUNNER, index), std::move(scene)},
      cast_{std::move(cast)}, tasks_{tasks} {}

runner::behavior_type runner::make_behavior() {
  return {on<&runner::task>{this}};
}

void runner::task(const to_runner::task& m) {
  send(cast_->master, to_master::completed{name(), m.number, ++attempted_});
  if (attempted_ == tasks_)
    terminate();
}

// -- play --------------------------------------------------------------------

namespace {

class fanout_play final : public play {
public:
  explicit fanout_play(const v1::FanoutParameters& p)
      : parameters_{p.runners(), p.tasks(), p.window()} {}

  void enter(stage& stage, place) override {
    const auto& p = parameters_;
    cast_->master = stage.enter<master>(cast_, p);
    for (std::uint32_t index = 0; index < p.runners; ++index)
      cast_->runners.push_back(stage.enter<runner>(index, cast_, p.tasks));
  }

  void start(inbox& inbox) override { inbox.send(cast_->master, to_master::start{control_name}); }

  void write(v1::Receipt& receipt, const totals& report,
             const std::vector<to_control::window>&) const override {
    receipt.mutable_fanout()->set_attempted(report.result);
    receipt.mutable_fanout()->set_completed(report.check);
  }

private:
  fanout_parameters parameters_;
  std::shared_ptr<fanout_cast> cast_ = std::make_shared<fanout_cast>();
};

} // namespace

std::unique_ptr<play> make_play(const v1::FanoutParameters& parameters) {
  return std::make_unique<fanout_play>(parameters);
}

} // namespace dramaturg
