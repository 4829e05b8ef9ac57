// Big (spec/big.md). Definitions stand in the order of the model.
#include "big.hpp"

#include <utility>

namespace dramaturg {

// -- coordinator -------------------------------------------------------------

coordinator::coordinator(pointer self, cast_ptr<big_cast> cast, const big_parameters& parameters,
                         scene_ptr scene)
    : windowed_lead{self, make_name(v1::ACTOR_CLASS_COORDINATOR), parameters.windows,
                    std::move(scene)},
      cast_{std::move(cast)}, peers_{parameters.peers}, playing_{parameters.peers},
      marks_(parameters.windows.count), waiting_{parameters.peers} {}

coordinator::behavior_type coordinator::make_behavior() {
  return {on<&coordinator::start>{this}, on<&coordinator::tick>{this},
          on<&coordinator::marked>{this}, on<&coordinator::idle>{this},
          on<&coordinator::finished>{this}};
}

void coordinator::start(const to_coordinator::start&) {
  begin();
  tell_all(to_peer::go{name()});
}

void coordinator::tick(const to_coordinator::tick& m) {
  next(m.number);
  tell_all(to_peer::mark{name(), m.number});
}

void coordinator::marked(const to_coordinator::marked& m) {
  auto& [answers, pongs] = marks_[m.number];
  pongs += m.pongs;
  if (++answers == peers_)
    report(m.number, pongs);
}

void coordinator::idle(const to_coordinator::idle&) {
  if (--waiting_ == 0)
    tell_all(to_peer::stop{name()});
}

void coordinator::finished(const to_coordinator::finished& m) {
  pings_ += m.pings;
  pongs_ += m.pongs;
  if (--playing_ == 0)
    done(pings_, pongs_, 0);
}

template <class Message>
void coordinator::tell_all(const Message& message) {
  for (const auto& peer : cast_->peers)
    send(peer, message);
}

// -- peer --------------------------------------------------------------------

peer::peer(pointer self, std::uint32_t index, cast_ptr<big_cast> cast,
           const big_parameters& parameters, scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_PEER, index), std::move(scene)},
      cast_{std::move(cast)}, parameters_{parameters}, target_{index} {}

peer::behavior_type peer::make_behavior() {
  return {on<&peer::ping>{this}, on<&peer::pong>{this}, on<&peer::go>{this}, on<&peer::mark>{this},
          on<&peer::stop>{this}};
}

void peer::go(const to_peer::go&) {
  ping_next();
}

void peer::ping(const to_peer::ping& m) {
  ++pings_;
  send(sender<peer_handle>(), to_peer::pong{name(), m.round});
  if (!parameters_.windows)
    end_when_done();
}

void peer::pong(const to_peer::pong&) {
  ++pongs_;
  if (parameters_.windows) {
    if (pinging_)
      ping_next();
    else
      send(cast_->coordinator, to_coordinator::idle{name()});
    return;
  }
  if (pongs_ < total())
    ping_next();
  end_when_done();
}

void peer::mark(const to_peer::mark& m) {
  send(cast_->coordinator,
       to_coordinator::marked{name(), m.number, pongs_ - std::exchange(marked_, pongs_)});
  pinging_ = m.number + 1 < parameters_.windows.count;
}

void peer::stop(const to_peer::stop&) {
  finish();
}

std::uint64_t peer::total() const {
  return std::uint64_t{parameters_.rounds} * (parameters_.peers - 1);
}

void peer::ping_next() {
  const auto next = [&](std::uint32_t index) {
    return index + 1 < parameters_.peers ? index + 1 : 0;
  };
  target_ = next(target_);
  if (target_ == index_of(name())) {
    target_ = next(target_);
    ++round_;
  }
  send(cast_->peers[target_], to_peer::ping{name(), round_});
}

void peer::end_when_done() {
  if (pings_ == total() && pongs_ == total())
    finish();
}

void peer::finish() {
  send(cast_->coordinator, to_coordinator::finished{name(), pings_, pongs_});
  give_part(pings_, pongs_, 0);
  terminate();
}

// -- play --------------------------------------------------------------------

namespace {

class big_play final : public play {
public:
  explicit big_play(const v1::BigParameters& p)
      : parameters_{p.peers(), p.rounds(), windows_of(p)} {}

  void enter(stage& stage, place here) override {
    const auto& p = parameters_;
    if (here.node == 0)
      cast_->coordinator = stage.enter<coordinator>(cast_, p);
    cast_->peers.resize(p.peers);
    const auto [first, step] = share::round(here);
    for (auto index = first; index < p.peers; index += step)
      cast_->peers[index] = stage.enter<peer>(index, cast_, p);
  }

  void start(inbox& inbox) override {
    inbox.send(cast_->coordinator, to_coordinator::start{control_name});
  }

  void write(v1::Receipt& receipt, const totals& report,
             const std::vector<to_control::window>& windows) const override {
    auto& big = *receipt.mutable_big();
    big.set_pings(report.result);
    big.set_pongs(report.check);
    write_windows(big, windows);
  }

  [[nodiscard]] company present() const override {
    return company_of(cast_->coordinator, cast_->peers);
  }

  void meet(const company& all) override { recognise(all, cast_->coordinator, cast_->peers); }

  [[nodiscard]] bool is_mesh() const override { return true; }

private:
  big_parameters parameters_;
  std::shared_ptr<big_cast> cast_ = std::make_shared<big_cast>();
};

} // namespace

std::unique_ptr<play> make_play(const v1::BigParameters& parameters) {
  return std::make_unique<big_play>(parameters);
}

} // namespace dramaturg
