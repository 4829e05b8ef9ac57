// Web (spec/web.md). Definitions stand in the order of the model.
#include "micro/web.hpp"

#include "fibonacci.hpp"
#include "fold.hpp"
#include "lead.hpp"

#include <deque>
#include <numeric>
#include <vector>

namespace dramaturg {

namespace {

struct web_actors {
  dispatcher_handle dispatcher;
  std::vector<worker_handle> workers;
  std::vector<browser_handle> browsers;
};

/// Keeps the order of waiting requests and of idle workers (WEB-1).
class dispatcher : public lead<dispatcher_handle> {
public:
  dispatcher(pointer self, environment_ptr environment, std::shared_ptr<const web_actors> actors,
             std::uint32_t workers, std::uint32_t browsers)
      : lead{self, std::move(environment), make_name(v2::ACTOR_CLASS_DISPATCHER)},
        actors_{std::move(actors)}, idle_workers_(workers), browsing_{browsers}, is_used_(workers) {
    std::iota(idle_workers_.begin(), idle_workers_.end(), 0);
  }

  behavior_type make_behavior() {
    return {on<&dispatcher::request>{this}, on<&dispatcher::idle>{this},
            on<&dispatcher::finished>{this}, on<&dispatcher::start>{this},
            on<&dispatcher::disconnect>{this}};
  }

private:
  struct waiting_request {
    std::uint32_t browser;
    std::uint32_t number;
    std::uint32_t value;
  };

  void start(const to_dispatcher::start& m) {
    for (const auto& browser : actors_->browsers)
      send(browser, to_browser::go{name(), m.salt});
  }

  void request(const to_dispatcher::request& m) {
    waiting_.push_back({index_of(m.from), m.number, m.value});
    assign();
  }

  void idle(const to_dispatcher::idle& m) {
    idle_workers_.push_back(index_of(m.from));
    assign();
    report_when_done();
  }

  void finished(const to_dispatcher::finished& m) {
    answers_ += m.answers;
    sum_ += m.sum;
    --browsing_;
    report_when_done();
  }

  void disconnect(const to_dispatcher::disconnect&) {
    for (const auto worker : idle_workers_)
      send(actors_->workers[worker], to_worker::stop{name()});
    terminate();
  }

  void assign() {
    if (waiting_.empty() || idle_workers_.empty())
      return;
    const auto [browser, number, value] = waiting_.front();
    const auto worker = idle_workers_.front();
    waiting_.pop_front();
    idle_workers_.pop_front();
    if (!is_used_[worker]) {
      is_used_[worker] = true;
      ++used_;
    }
    send(actors_->workers[worker], to_worker::work{name(), browser, number, value});
  }

  void report_when_done() {
    if (browsing_ == 0 && idle_workers_.size() == is_used_.size())
      done(answers_, sum_, used_);
  }

  std::shared_ptr<const web_actors> actors_;
  std::deque<std::uint32_t> idle_workers_;
  std::deque<waiting_request> waiting_;
  std::uint32_t browsing_;
  std::uint64_t answers_ = 0;
  std::uint32_t sum_ = 0;
  std::vector<bool> is_used_; // by worker
  std::uint64_t used_ = 0;
};

/// Computes, answers the browser, and is idle again (WEB-2).
class worker : public actor_state<worker_handle> {
public:
  worker(pointer self, environment_ptr environment, std::uint32_t index,
         std::shared_ptr<const web_actors> actors, std::uint32_t fib_n)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_WORKER, index)},
        actors_{std::move(actors)}, fib_n_{fib_n} {}

  behavior_type make_behavior() { return {on<&worker::work>{this}, on<&worker::stop>{this}}; }

private:
  void work(const to_worker::work& m) {
    const auto value = fold(m.value, static_cast<std::uint32_t>(fibonacci(fib_n_)));
    send(actors_->browsers[m.browser], to_browser::answer{name(), m.number, value});
    send(actors_->dispatcher, to_dispatcher::idle{name()});
  }

  void stop(const to_worker::stop&) { terminate(); }

  std::shared_ptr<const web_actors> actors_;
  std::uint32_t fib_n_;
};

/// Asks, waits for the answer, asks again (WEB-3).
class browser : public actor_state<browser_handle> {
public:
  browser(pointer self, environment_ptr environment, std::uint32_t index,
          std::shared_ptr<const web_actors> actors, std::uint32_t requests)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_BROWSER, index)},
        actors_{std::move(actors)}, requests_{requests} {}

  behavior_type make_behavior() { return {on<&browser::answer>{this}, on<&browser::go>{this}}; }

private:
  void go(const to_browser::go& m) {
    digest_ = fold(m.salt, index());
    request();
  }

  void answer(const to_browser::answer& m) {
    ++answers_;
    sum_ += m.value;
    if (answers_ < requests_)
      return request();
    send(actors_->dispatcher, to_dispatcher::finished{name(), answers_, sum_});
    terminate();
  }

  void request() {
    send(actors_->dispatcher, to_dispatcher::request{name(), answers_, fold(digest_, answers_)});
  }

  std::shared_ptr<const web_actors> actors_;
  std::uint32_t requests_;
  std::uint32_t digest_ = 0; // where its requests' values begin
  std::uint32_t answers_ = 0;
  std::uint32_t sum_ = 0;
};

class web final : public benchmark {
public:
  explicit web(const v2::WebParameters& parameters) : parameters_{parameters} {}

  void set_up(const spawner& spawner, inbox&) override {
    const auto& p = parameters_;
    if (spawner.here().node == 0) {
      actors_->dispatcher = spawner.spawn<dispatcher>(actors_, p.workers(), p.browsers());
      for (std::uint32_t index = 0; index < p.workers(); ++index)
        actors_->workers.push_back(spawner.spawn<worker>(index, actors_, p.fib_n()));
    }
    actors_->browsers.resize(p.browsers());
    const auto [first, step] = share::of_the_rest(spawner.here());
    for (auto index = first; index < p.browsers(); index += step)
      actors_->browsers[index] = spawner.spawn<browser>(index, actors_, p.requests());
  }

  void start(inbox& inbox, std::uint32_t salt) override {
    inbox.send(actors_->dispatcher, to_dispatcher::start{control_name, salt});
  }

  void disconnect(inbox& inbox) override {
    inbox.send(actors_->dispatcher, to_dispatcher::disconnect{control_name});
  }

  [[nodiscard]] residents who_is_here() const override {
    return {actors_->dispatcher, actors_->browsers};
  }

  void introduce(const residents& all) override {
    all.tell(actors_->dispatcher, actors_->browsers);
  }

private:
  v2::WebParameters parameters_;
  std::shared_ptr<web_actors> actors_ = std::make_shared<web_actors>();
};

} // namespace

std::unique_ptr<benchmark> make_benchmark(const v2::WebParameters& parameters) {
  return std::make_unique<web>(parameters);
}

} // namespace dramaturg
