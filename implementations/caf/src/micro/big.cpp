// Big (spec/big.md). Definitions stand in the order of the model.
#include "micro/big.hpp"

#include "fold.hpp"
#include "lead.hpp"

#include <utility>
#include <vector>

namespace dramaturg {

namespace {

struct big_parameters {
  explicit big_parameters(const v2::BigParameters& p)
      : peers{p.peers()}, rounds{p.rounds()}, windows{p} {}

  std::uint32_t peers;
  std::uint32_t rounds;
  window_parameters windows;
};

struct big_actors {
  coordinator_handle coordinator;
  std::vector<peer_handle> peers;
};

/// Starts the peers and waits for them (BIG-1, BIG-5).
class coordinator : public windowed_lead<coordinator_handle, to_coordinator::tick> {
public:
  coordinator(pointer self, environment_ptr environment, std::shared_ptr<const big_actors> actors,
              const big_parameters& parameters)
      : windowed_lead{self, std::move(environment), make_name(v2::ACTOR_CLASS_COORDINATOR),
                      parameters.windows},
        actors_{std::move(actors)}, playing_{parameters.peers},
        marks_(parameters.windows.count), waiting_{parameters.peers} {}

  behavior_type make_behavior() {
    return {on<&coordinator::start>{this}, on<&coordinator::tick>{this},
            on<&coordinator::marked>{this}, on<&coordinator::idle>{this},
            on<&coordinator::finished>{this}};
  }

private:
  struct mark {
    std::size_t answers = 0;
    std::uint64_t pongs = 0;
  };

  void start(const to_coordinator::start& m) {
    open_windows();
    tell_all(to_peer::go{name(), m.salt});
  }

  void tick(const to_coordinator::tick& m) {
    next(m.number);
    tell_all(to_peer::mark{name(), m.number});
  }

  void marked(const to_coordinator::marked& m) {
    auto& [answers, pongs] = marks_[m.number];
    pongs += m.pongs;
    if (++answers == actors_->peers.size())
      report(m.number, pongs);
  }

  void idle(const to_coordinator::idle&) {
    if (--waiting_ == 0)
      tell_all(to_peer::stop{name()});
  }

  void finished(const to_coordinator::finished& m) {
    pings_ += m.pings;
    pongs_ += m.pongs;
    given_ += m.given;
    taken_ += m.taken;
    if (--playing_ > 0)
      return;
    done(pings_, pongs_, given_, taken_);
    terminate();
  }

  template <class Message>
  void tell_all(const Message& message) {
    for (const auto& peer : actors_->peers)
      send(peer, message);
  }

  std::shared_ptr<const big_actors> actors_;
  std::uint32_t playing_;
  std::uint64_t pings_ = 0;
  std::uint64_t pongs_ = 0;
  std::uint32_t given_ = 0;
  std::uint32_t taken_ = 0;
  std::vector<mark> marks_; // by window
  std::uint32_t waiting_;
};

/// Pings its neighbours in turn, starting with the next one (BIG-2, BIG-6).
class peer : public actor_state<peer_handle> {
public:
  peer(pointer self, environment_ptr environment, std::uint32_t index,
       std::shared_ptr<const big_actors> actors, const big_parameters& parameters)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_PEER, index)},
        actors_{std::move(actors)}, parameters_{parameters}, target_{index} {}

  behavior_type make_behavior() {
    return {on<&peer::ping>{this}, on<&peer::pong>{this}, on<&peer::go>{this},
            on<&peer::mark>{this}, on<&peer::stop>{this}};
  }

private:
  void go(const to_peer::go& m) {
    digest_ = fold(m.salt, index());
    ping_next();
  }

  void ping(const to_peer::ping& m) {
    const auto answer = fold(m.value, index());
    ++pings_;
    given_ += answer;
    send(sender<peer_handle>(), to_peer::pong{name(), m.round, answer});
    if (!parameters_.windows)
      end_when_done();
  }

  void pong(const to_peer::pong& m) {
    ++pongs_;
    taken_ += m.value;
    if (parameters_.windows) {
      if (pinging_)
        ping_next();
      else
        send(actors_->coordinator, to_coordinator::idle{name()});
      return;
    }
    if (pongs_ < total())
      ping_next();
    end_when_done();
  }

  void mark(const to_peer::mark& m) {
    send(actors_->coordinator,
         to_coordinator::marked{name(), m.number, pongs_ - std::exchange(marked_, pongs_)});
    pinging_ = m.number + 1 < parameters_.windows.count;
  }

  void stop(const to_peer::stop&) { finish(); }

  [[nodiscard]] std::uint64_t total() const {
    return std::uint64_t{parameters_.rounds} * (parameters_.peers - 1);
  }

  void ping_next() {
    const auto next = [&](std::uint32_t index) {
      return index + 1 < parameters_.peers ? index + 1 : 0;
    };
    target_ = next(target_);
    if (target_ == index()) {
      target_ = next(target_);
      ++round_;
    }
    send(actors_->peers[target_], to_peer::ping{name(), round_, fold(digest_, round_)});
  }

  void end_when_done() {
    if (pings_ == total() && pongs_ == total())
      finish();
  }

  void finish() {
    send(actors_->coordinator, to_coordinator::finished{name(), pings_, pongs_, given_, taken_});
    terminate();
  }

  std::shared_ptr<const big_actors> actors_;
  big_parameters parameters_;
  std::uint32_t target_; // whom to ping next
  std::uint32_t round_ = 0;
  std::uint32_t digest_ = 0; // where its pings' values begin
  std::uint64_t pings_ = 0;
  std::uint64_t pongs_ = 0;
  std::uint32_t given_ = 0;
  std::uint32_t taken_ = 0;
  std::uint64_t marked_ = 0;
  bool pinging_ = true;
};

class big final : public benchmark {
public:
  explicit big(const v2::BigParameters& parameters) : parameters_{parameters} {}

  void set_up(const spawner& spawner, inbox&) override {
    if (spawner.here().node == 0)
      actors_->coordinator = spawner.spawn<coordinator>(actors_, parameters_);
    actors_->peers.resize(parameters_.peers);
    const auto [first, step] = share::of_all(spawner.here());
    for (auto index = first; index < parameters_.peers; index += step)
      actors_->peers[index] = spawner.spawn<peer>(index, actors_, parameters_);
  }

  void start(inbox& inbox, std::uint32_t salt) override {
    inbox.send(actors_->coordinator, to_coordinator::start{control_name, salt});
  }

  [[nodiscard]] residents who_is_here() const override {
    return {actors_->coordinator, actors_->peers};
  }

  void introduce(const residents& all) override { all.tell(actors_->coordinator, actors_->peers); }

  [[nodiscard]] bool is_mesh() const override { return true; }

private:
  big_parameters parameters_;
  std::shared_ptr<big_actors> actors_ = std::make_shared<big_actors>();
};

} // namespace

std::unique_ptr<benchmark> make_benchmark(const v2::BigParameters& parameters) {
  return std::make_unique<big>(parameters);
}

} // namespace dramaturg
