// Web under an open load (spec/openweb.md). Definitions stand in the order of the model.
#include "micro/openweb.hpp"

#include "fibonacci.hpp"
#include "fold.hpp"
#include "lcg.hpp"
#include "lead.hpp"

#include <array>
#include <chrono>
#include <deque>
#include <numeric>
#include <vector>

namespace dramaturg {

namespace {

struct openweb_actors {
  source_handle source;
  balancer_handle balancer;
  std::vector<server_handle> servers;
};

/// When each request is due, in nanoseconds after the start of the run (OPEN-1).
std::vector<std::uint64_t> arrivals(const v2::OpenWebParameters& p) {
  constexpr std::uint64_t steps = 256;
  std::array<std::uint64_t, steps> lengths{}; // in millionths of the mean gap
  std::uint64_t length = 0;
  for (std::uint64_t step = 0; step < steps; ++step)
    lengths[step] = length += 1'000'000 / (steps - step);
  lcg draws{p.seed()};
  std::uint64_t total = 0;
  std::vector<std::uint64_t> due(p.requests());
  for (auto& nanos : due) {
    total += lengths[draws.next() / steps];
    nanos = p.gap() * total / 1000;
  }
  return due;
}

/// Sends each request when it is due, and takes the answers (OPEN-2).
class source : public lead<source_handle> {
public:
  source(pointer self, environment_ptr environment, std::shared_ptr<const openweb_actors> actors,
         std::vector<std::uint64_t> due)
      : lead{self, std::move(environment), make_name(v2::ACTOR_CLASS_SOURCE)},
        actors_{std::move(actors)}, due_{std::move(due)}, arrived_(due_.size()),
        answered_(due_.size()) {}

  behavior_type make_behavior() {
    return {on<&source::arrive>{this}, on<&source::answer>{this}, on<&source::drained>{this},
            on<&source::start>{this}, on<&source::disconnect>{this}};
  }

private:
  void start(const to_source::start& m) {
    // A little later than control's own stamp, so that nothing is early.
    started_ = stopwatch::clock::now();
    salt_ = m.salt;
    await(0);
  }

  void arrive(const to_source::arrive& m) {
    arrived_[m.number] = stopwatch::clock::now();
    const auto value = fold(fold(salt_, m.number), static_cast<std::uint32_t>(m.due));
    send(actors_->balancer, to_balancer::request{name(), m.number, value});
    if (m.number + 1 < due_.size())
      await(m.number + 1);
  }

  void answer(const to_source::answer& m) {
    answered_[m.number] = stopwatch::clock::now();
    ++answers_;
    sum_ += m.value;
    report_when_done();
  }

  void drained(const to_source::drained& m) {
    used_ = m.used;
    report_when_done();
  }

  void disconnect(const to_source::disconnect&) {
    send(actors_->balancer, to_balancer::close{name()});
    terminate();
  }

  void await(std::uint32_t number) {
    const auto due = due_[number];
    send_at(started_ + std::chrono::nanoseconds{due}, to_source::arrive{name(), number, due});
  }

  void report_when_done() {
    if (used_ == 0 || answers_ != due_.size())
      return;
    const auto stopped = stopwatch::stop();
    send(control(),
         to_control::readings{std::move(due_), std::move(answered_), std::move(arrived_)});
    done_at(stopped, answers_, sum_, used_);
  }

  std::shared_ptr<const openweb_actors> actors_;
  std::vector<std::uint64_t> due_;
  // What the clock said, by requests.
  std::vector<stopwatch::stamp> arrived_;
  std::vector<stopwatch::stamp> answered_;
  stopwatch::stamp started_;
  std::uint32_t salt_ = 0;
  std::uint64_t answers_ = 0;
  std::uint32_t sum_ = 0;
  std::uint64_t used_ = 0;
};

/// Keeps the order of waiting requests and of idle servers (OPEN-3).
class balancer : public actor_state<balancer_handle> {
public:
  balancer(pointer self, environment_ptr environment, std::shared_ptr<const openweb_actors> actors,
           std::uint32_t servers, std::uint32_t requests)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_BALANCER)},
        actors_{std::move(actors)}, requests_{requests}, idle_servers_(servers), is_used_(servers) {
    std::iota(idle_servers_.begin(), idle_servers_.end(), 0);
  }

  behavior_type make_behavior() {
    return {on<&balancer::request>{this}, on<&balancer::idle>{this}, on<&balancer::close>{this}};
  }

private:
  struct waiting_request {
    std::uint32_t number;
    std::uint32_t value;
  };

  void request(const to_balancer::request& m) {
    waiting_.push_back({m.number, m.value});
    assign();
  }

  void idle(const to_balancer::idle& m) {
    idle_servers_.push_back(index_of(m.from));
    assign();
    if (given_ == requests_ && idle_servers_.size() == is_used_.size())
      send(actors_->source, to_source::drained{name(), used_});
  }

  void close(const to_balancer::close&) {
    for (const auto server : idle_servers_)
      send(actors_->servers[server], to_server::stop{name()});
    terminate();
  }

  void assign() {
    if (waiting_.empty() || idle_servers_.empty())
      return;
    const auto [number, value] = waiting_.front();
    const auto server = idle_servers_.front();
    waiting_.pop_front();
    idle_servers_.pop_front();
    ++given_;
    if (!is_used_[server]) {
      is_used_[server] = true;
      ++used_;
    }
    send(actors_->servers[server], to_server::work{name(), number, value});
  }

  std::shared_ptr<const openweb_actors> actors_;
  std::uint32_t requests_;
  std::deque<std::uint32_t> idle_servers_;
  std::deque<waiting_request> waiting_;
  std::uint32_t given_ = 0;
  std::vector<bool> is_used_; // by server
  std::uint64_t used_ = 0;
};

/// Computes, answers the source, and is idle again (OPEN-4).
class server : public actor_state<server_handle> {
public:
  server(pointer self, environment_ptr environment, std::uint32_t index,
         std::shared_ptr<const openweb_actors> actors, std::uint32_t fib_n)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_SERVER, index)},
        actors_{std::move(actors)}, fib_n_{fib_n} {}

  behavior_type make_behavior() { return {on<&server::work>{this}, on<&server::stop>{this}}; }

private:
  void work(const to_server::work& m) {
    const auto value = fold(m.value, static_cast<std::uint32_t>(fibonacci(fib_n_)));
    send(actors_->source, to_source::answer{name(), m.number, value});
    send(actors_->balancer, to_balancer::idle{name()});
  }

  void stop(const to_server::stop&) { terminate(); }

  std::shared_ptr<const openweb_actors> actors_;
  std::uint32_t fib_n_;
};

class openweb final : public benchmark {
public:
  explicit openweb(const v2::OpenWebParameters& parameters) : parameters_{parameters} {}

  void set_up(const spawner& spawner, inbox&) override {
    const auto& p = parameters_;
    actors_->source = spawner.spawn<source>(actors_, arrivals(p));
    actors_->balancer = spawner.spawn<balancer>(actors_, p.servers(), p.requests());
    for (std::uint32_t index = 0; index < p.servers(); ++index)
      actors_->servers.push_back(spawner.spawn<server>(index, actors_, p.fib_n()));
  }

  void start(inbox& inbox, std::uint32_t salt) override {
    inbox.send(actors_->source, to_source::start{control_name, salt});
  }

  void disconnect(inbox& inbox) override {
    inbox.send(actors_->source, to_source::disconnect{control_name});
  }

private:
  v2::OpenWebParameters parameters_;
  std::shared_ptr<openweb_actors> actors_ = std::make_shared<openweb_actors>();
};

} // namespace

std::unique_ptr<benchmark> make_benchmark(const v2::OpenWebParameters& parameters) {
  return std::make_unique<openweb>(parameters);
}

} // namespace dramaturg
