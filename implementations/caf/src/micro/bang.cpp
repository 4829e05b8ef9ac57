// Bang (spec/bang.md). Definitions stand in the order of the model.
#include "bang.hpp"

#include <utility>

namespace dramaturg {

// -- receiver ----------------------------------------------------------------

receiver::receiver(pointer self, cast_ptr<bang_cast> cast, const bang_parameters& parameters,
                   scene_ptr scene)
    : windowed_lead{self, make_name(v1::ACTOR_CLASS_RECEIVER), parameters.windows,
                    std::move(scene)},
      cast_{std::move(cast)}, sending_{parameters.senders} {}

receiver::behavior_type receiver::make_behavior() {
  return {on<&receiver::bang>{this}, on<&receiver::start>{this}, on<&receiver::tick>{this},
          on<&receiver::finished>{this}};
}

void receiver::start(const to_receiver::start&) {
  begin();
  for (const auto& sender : cast_->senders)
    send(sender, to_sender::go{name()});
}

void receiver::bang(const to_receiver::bang& m) {
  ++bangs_;
  send(sender<sender_handle>(), to_sender::answer{name(), m.number});
}

void receiver::tick(const to_receiver::tick& m) {
  const auto is_last = !next(m.number);
  report(m.number, since(bangs_));
  if (is_last)
    for (const auto& sender : cast_->senders)
      send(sender, to_sender::stop{name()});
}

void receiver::finished(const to_receiver::finished& m) {
  answers_ += m.answers;
  if (--sending_ == 0) {
    give_part(bangs_, 0, 0);
    done(bangs_, answers_, 0);
  }
}

// -- sender ------------------------------------------------------------------

sender::sender(pointer self, std::uint32_t index, cast_ptr<bang_cast> cast,
               const bang_parameters& parameters, scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_SENDER, index), std::move(scene)},
      cast_{std::move(cast)}, messages_{parameters.messages}, banging_{parameters.windows} {}

sender::behavior_type sender::make_behavior() {
  return {on<&sender::answer>{this}, on<&sender::go>{this}, on<&sender::stop>{this}};
}

void sender::go(const to_sender::go&) {
  repeat(messages_, [this](std::uint32_t) { bang(); });
}

void sender::answer(const to_sender::answer&) {
  ++answers_;
  if (banging_)
    bang();
  end_when_done();
}

void sender::stop(const to_sender::stop&) {
  banging_ = false;
  end_when_done();
}

void sender::bang() {
  send(cast_->receiver, to_receiver::bang{name(), sent_++});
}

void sender::end_when_done() {
  if (banging_ || answers_ < sent_)
    return;
  send(cast_->receiver, to_receiver::finished{name(), answers_});
  give_part(0, answers_, 0);
  terminate();
}

// -- play --------------------------------------------------------------------

namespace {

class bang_play final : public play {
public:
  explicit bang_play(const v1::BangParameters& p)
      : parameters_{p.senders(), p.messages(), windows_of(p)} {}

  void enter(stage& stage, place here) override {
    const auto& p = parameters_;
    if (here.node == 0)
      cast_->receiver = stage.enter<receiver>(cast_, p);
    cast_->senders.resize(p.senders);
    const auto [first, step] = share::round_the_rest(here);
    for (auto index = first; index < p.senders; index += step)
      cast_->senders[index] = stage.enter<sender>(index, cast_, p);
  }

  void start(inbox& inbox) override {
    inbox.send(cast_->receiver, to_receiver::start{control_name});
  }

  void write(v1::Receipt& receipt, const totals& report,
             const std::vector<to_control::window>& windows) const override {
    auto& bang = *receipt.mutable_bang();
    bang.set_bangs(report.result);
    bang.set_answers(report.check);
    write_windows(bang, windows);
  }

  [[nodiscard]] company present() const override {
    return company_of(cast_->receiver, cast_->senders);
  }

  void meet(const company& all) override { recognise(all, cast_->receiver, cast_->senders); }

private:
  bang_parameters parameters_;
  std::shared_ptr<bang_cast> cast_ = std::make_shared<bang_cast>();
};

} // namespace

std::unique_ptr<play> make_play(const v1::BangParameters& parameters) {
  return std::make_unique<bang_play>(parameters);
}

} // namespace dramaturg
