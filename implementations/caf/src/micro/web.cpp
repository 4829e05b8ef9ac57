// Web (spec/web.md). Definitions stand in the order of the model.
#include "web.hpp"

#include "fibonacci.hpp"

#include <numeric>
#include <utility>

namespace dramaturg {

// -- dispatcher --------------------------------------------------------------

dispatcher::dispatcher(pointer self, cast_ptr<web_cast> cast, std::uint32_t workers,
                       std::uint32_t browsers, scene_ptr scene)
    : lead{self, make_name(v1::ACTOR_CLASS_DISPATCHER), std::move(scene)}, cast_{std::move(cast)},
      idle_workers_(workers), browsing_{browsers}, is_used_(workers) {
  std::iota(idle_workers_.begin(), idle_workers_.end(), 0);
}

dispatcher::behavior_type dispatcher::make_behavior() {
  return {on<&dispatcher::request>{this}, on<&dispatcher::idle>{this},
          on<&dispatcher::finished>{this}, on<&dispatcher::start>{this}};
}

void dispatcher::start(const to_dispatcher::start&) {
  begin();
  for (const auto& browser : cast_->browsers)
    send(browser, to_browser::go{name()});
}

void dispatcher::request(const to_dispatcher::request& m) {
  waiting_.push_back({index_of(m.from), m.number});
  assign();
}

void dispatcher::idle(const to_dispatcher::idle& m) {
  idle_workers_.push_back(index_of(m.from));
  assign();
  end_when_done();
}

void dispatcher::finished(const to_dispatcher::finished& m) {
  answers_ += m.answers;
  sum_ += m.sum;
  --browsing_;
  end_when_done();
}

void dispatcher::assign() {
  if (waiting_.empty() || idle_workers_.empty())
    return;
  const auto [browser, number] = waiting_.front();
  const auto worker = idle_workers_.front();
  waiting_.pop_front();
  idle_workers_.pop_front();
  if (!is_used_[worker]) {
    is_used_[worker] = true;
    ++used_;
  }
  send(cast_->workers[worker], to_worker::work{name(), browser, number});
}

void dispatcher::end_when_done() {
  if (browsing_ > 0 || idle_workers_.size() < is_used_.size())
    return;
  for (const auto worker : idle_workers_)
    send(cast_->workers[worker], to_worker::stop{name()});
  give_part(0, 0, used_);
  done(answers_, sum_, used_);
}

// -- worker ------------------------------------------------------------------

worker::worker(pointer self, std::uint32_t index, cast_ptr<web_cast> cast, std::uint32_t fib_n,
               scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_WORKER, index), std::move(scene)},
      cast_{std::move(cast)}, fib_n_{fib_n} {}

worker::behavior_type worker::make_behavior() {
  return {on<&worker::work>{this}, on<&worker::stop>{this}};
}

void worker::work(const to_worker::work& m) {
  const auto value = fibonacci(fib_n_);
  send(cast_->browsers[m.browser], to_browser::answer{name(), m.number, value});
  send(cast_->dispatcher, to_dispatcher::idle{name()});
}

void worker::stop(const to_worker::stop&) {
  terminate();
}

// -- browser -----------------------------------------------------------------

browser::browser(pointer self, std::uint32_t index, cast_ptr<web_cast> cast, std::uint32_t requests,
                 scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_BROWSER, index), std::move(scene)},
      cast_{std::move(cast)}, requests_{requests} {}

browser::behavior_type browser::make_behavior() {
  return {on<&browser::answer>{this}, on<&browser::go>{this}};
}

void browser::go(const to_browser::go&) {
  send(cast_->dispatcher, to_dispatcher::request{name(), 0});
}

void browser::answer(const to_browser::answer& m) {
  ++answers_;
  sum_ += m.value;
  if (answers_ < requests_) {
    send(cast_->dispatcher, to_dispatcher::request{name(), answers_});
  } else {
    send(cast_->dispatcher, to_dispatcher::finished{name(), answers_, sum_});
    give_part(answers_, sum_, 0);
    terminate();
  }
}

// -- play --------------------------------------------------------------------

namespace {

class web_play final : public play {
public:
  explicit web_play(const v1::WebParameters& parameters) : parameters_{parameters} {}

  void enter(stage& stage, place here) override {
    const auto& p = parameters_;
    if (here.node == 0) {
      cast_->dispatcher = stage.enter<dispatcher>(cast_, p.workers(), p.browsers());
      for (std::uint32_t index = 0; index < p.workers(); ++index)
        cast_->workers.push_back(stage.enter<worker>(index, cast_, p.fib_n()));
    }
    cast_->browsers.resize(p.browsers());
    const auto [first, step] = share::round_the_rest(here);
    for (auto index = first; index < p.browsers(); index += step)
      cast_->browsers[index] = stage.enter<browser>(index, cast_, p.requests());
  }

  void start(inbox& inbox) override {
    inbox.send(cast_->dispatcher, to_dispatcher::start{control_name});
  }

  void write(v1::Receipt& receipt, const totals& report,
             const std::vector<to_control::window>&) const override {
    receipt.mutable_web()->set_answers(report.result);
    receipt.mutable_web()->set_value_sum(report.check);
    receipt.mutable_web()->set_workers_used(report.parts);
  }

  [[nodiscard]] company present() const override {
    return company_of(cast_->dispatcher, cast_->browsers);
  }

  void meet(const company& all) override { recognise(all, cast_->dispatcher, cast_->browsers); }

private:
  v1::WebParameters parameters_;
  std::shared_ptr<web_cast> cast_ = std::make_shared<web_cast>();
};

} // namespace

std::unique_ptr<play> make_play(const v1::WebParameters& parameters) {
  return std::make_unique<web_play>(parameters);
}

} // namespace dramaturg
