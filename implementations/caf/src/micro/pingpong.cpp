// Ping-pong (spec/pingpong.md). Definitions stand in the order of the model.
#include "micro/pingpong.hpp"

#include "fold.hpp"
#include "lead.hpp"

namespace dramaturg {

namespace {

struct pingpong_actors {
  ping_handle ping;
  pong_handle pong;
};

/// A digest as it is sent: shifted, and its lowest bits once more behind it (PING-7).
constexpr std::uint64_t shifted(std::uint32_t digest, std::uint32_t shift) noexcept {
  const std::uint64_t value = digest;
  return value << shift | (value & ((std::uint64_t{1} << shift) - 1));
}

constexpr std::uint32_t back(std::uint64_t value, std::uint32_t shift) noexcept {
  return static_cast<std::uint32_t>(value >> shift);
}

/// Sends `ping`, takes `pong`, until none are left (PING-1, PING-6).
class ping : public windowed_lead<ping_handle, to_ping::tick> {
public:
  ping(pointer self, environment_ptr environment, std::shared_ptr<const pingpong_actors> actors,
       window_parameters windows, std::uint32_t shift)
      : windowed_lead{self, std::move(environment), make_name(v2::ACTOR_CLASS_PING), windows},
        actors_{std::move(actors)}, shift_{shift}, windowed_{windows} {}

  behavior_type make_behavior() {
    return {on<&ping::pong>{this}, on<&ping::start>{this}, on<&ping::tick>{this}};
  }

private:
  void start(const to_ping::start& m) {
    salt_ = m.salt;
    open_windows();
    serve(windowed_ ? 1 : m.rounds - 1);
  }

  void pong(const to_ping::pong& m) {
    ++pongs_;
    sum_ += back(m.value, shift_);
    if (m.left > 0)
      return serve(windowed_ ? 1 : m.left - 1);
    done(pongs_, sum_);
    terminate();
  }

  void tick(const to_ping::tick& m) {
    windowed_ = next(m.number);
    report(m.number, since(pongs_));
  }

  void serve(std::uint32_t left) {
    const auto value = fold(salt_, static_cast<std::uint32_t>(pongs_));
    send(actors_->pong, to_pong::ping{name(), left, shifted(value, shift_)});
  }

  std::shared_ptr<const pingpong_actors> actors_;
  std::uint32_t shift_;
  std::uint32_t salt_ = 0;
  std::uint64_t pongs_ = 0;
  std::uint32_t sum_ = 0;
  bool windowed_;
};

/// Answers each `ping`, with its own count in the value (PING-2).
class pong : public actor_state<pong_handle> {
public:
  pong(pointer self, environment_ptr environment, std::uint32_t shift)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_PONG)}, shift_{shift} {}

  behavior_type make_behavior() { return {on<&pong::ping>{this}}; }

private:
  void ping(const to_pong::ping& m) {
    const auto value = fold(back(m.value, shift_), pings_++);
    send(sender<ping_handle>(), to_ping::pong{name(), m.left, shifted(value, shift_)});
    if (m.left == 0)
      terminate();
  }

  std::uint32_t shift_;
  std::uint32_t pings_ = 0;
};

class pingpong final : public benchmark {
public:
  explicit pingpong(const v2::PingPongParameters& parameters) : parameters_{parameters} {}

  void set_up(const spawner& spawner, inbox&) override {
    const auto [node, nodes] = spawner.here();
    const auto& p = parameters_;
    if (node == 0)
      actors_->ping = spawner.spawn<ping>(actors_, window_parameters{p}, p.shift());
    if (node + 1 == nodes)
      actors_->pong = spawner.spawn<pong>(p.shift());
  }

  void start(inbox& inbox, std::uint32_t salt) override {
    inbox.send(actors_->ping, to_ping::start{control_name, parameters_.rounds(), salt});
  }

  [[nodiscard]] residents who_is_here() const override {
    return {actors_->ping, std::vector{actors_->pong}};
  }

  void introduce(const residents& all) override {
    std::vector pongs{actors_->pong};
    all.tell(actors_->ping, pongs);
    actors_->pong = pongs.front();
  }

private:
  v2::PingPongParameters parameters_;
  std::shared_ptr<pingpong_actors> actors_ = std::make_shared<pingpong_actors>();
};

} // namespace

std::unique_ptr<benchmark> make_benchmark(const v2::PingPongParameters& parameters) {
  return std::make_unique<pingpong>(parameters);
}

} // namespace dramaturg
