// Ping-pong (spec/pingpong.md). Definitions stand in the order of the model.
#include "pingpong.hpp"

#include <utility>

namespace dramaturg {

// -- ping --------------------------------------------------------------------

ping::ping(pointer self, cast_ptr<pingpong_cast> cast, window_parameters windows, scene_ptr scene)
    : windowed_lead{self, make_name(v1::ACTOR_CLASS_PING), windows, std::move(scene)},
      cast_{std::move(cast)}, windowed_{windows} {}

ping::behavior_type ping::make_behavior() {
  return {on<&ping::pong>{this}, on<&ping::start>{this}, on<&ping::tick>{this}};
}

void ping::start(const to_ping::start& m) {
  begin();
  serve(windowed_ ? 1 : m.rounds - 1);
}

void ping::pong(const to_ping::pong& m) {
  ++pongs_;
  if (m.left > 0) {
    serve(windowed_ ? 1 : m.left - 1);
  } else {
    give_part(0, pongs_, 0);
    done(pongs_, 0, 0);
  }
}

void ping::tick(const to_ping::tick& m) {
  windowed_ = next(m.number);
  report(m.number, since(pongs_));
}

void ping::serve(std::uint32_t left) {
  send(cast_->pong, to_pong::ping{name(), left});
}

// -- pong --------------------------------------------------------------------

pong::pong(pointer self, scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_PONG), std::move(scene)} {}

pong::behavior_type pong::make_behavior() {
  return {on<&pong::ping>{this}};
}

void pong::ping(const to_pong::ping& m) {
  ++pings_;
  send(sender<ping_handle>(), to_ping::pong{name(), m.left});
  if (m.left == 0) {
    give_part(pings_, 0, 0);
    terminate();
  }
}

// -- play --------------------------------------------------------------------

namespace {

class pingpong_play final : public play {
public:
  explicit pingpong_play(const v1::PingPongParameters& parameters) : parameters_{parameters} {}

  void enter(stage& stage, place here) override {
    if (here.node == 0)
      cast_->ping = stage.enter<ping>(cast_, windows_of(parameters_));
    if (here.node + 1 == here.nodes)
      cast_->pong = stage.enter<pong>();
  }

  void start(inbox& inbox) override {
    inbox.send(cast_->ping, to_ping::start{control_name, parameters_.rounds()});
  }

  void write(v1::Receipt& receipt, const totals& report,
             const std::vector<to_control::window>& windows) const override {
    auto& pingpong = *receipt.mutable_pingpong();
    pingpong.set_pings(report.result);
    pingpong.set_pongs(report.check);
    write_windows(pingpong, windows);
  }

  // Ping does not hear how many pings pong took, so both say their own.
  [[nodiscard]] bool in_parts() const override { return true; }

  [[nodiscard]] company present() const override {
    return company_of(cast_->ping, std::vector{cast_->pong});
  }

  void meet(const company& all) override {
    std::vector pongs{cast_->pong};
    recognise(all, cast_->ping, pongs);
    cast_->pong = pongs.front();
  }

private:
  v1::PingPongParameters parameters_;
  std::shared_ptr<pingpong_cast> cast_ = std::make_shared<pingpong_cast>();
};

} // namespace

std::unique_ptr<play> make_play(const v1::PingPongParameters& parameters) {
  return std::make_unique<pingpong_play>(parameters);
}

} // namespace dramaturg
