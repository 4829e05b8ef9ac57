#include "session.hpp"

#include "benchmarks.hpp"
#include "chatapp_world.hpp"
#include "micro_world.hpp"
#include "plays.hpp"
#include "validation.hpp"

#include <malloc.h>

#include <string>
#include <utility>

namespace dramaturg {

namespace {

using namespace std::chrono_literals;

// What is dropped ends as soon as each actor has finished its current message.
constexpr auto drop_patience = 1s;

// A million of them may take longer, and the next world has to wait for that.
constexpr auto dropped_patience = 45s;

// The allocator keeps what a world leaves; the next one may be a small one.
void give_back_memory() {
  malloc_trim(0);
}

chatapp_parameters parameters_of(const v1::ChatAppParameters& p) {
  return {p.clients(), p.directories(), p.turns(),     p.compute(), p.post(),    p.leave(),
          p.invite(),  p.befriend(),    p.selection(), p.fib_n(),   p.history(), p.seed()};
}

} // namespace

class session::call {
public:
  /// Throws if another call is under way or `allowed` says so.
  template <class Check>
  call(session& session, const char* name, Check allowed) : session_{session} {
    const std::lock_guard guard{session_.mutex_};
    if (session_.under_way_)
      throw out_of_order(std::string{name} + " came too early: " + session_.under_way_
                         + " is under way");
    allowed(name);
    session_.under_way_ = name;
  }

  ~call() {
    const std::lock_guard guard{session_.mutex_};
    session_.under_way_ = nullptr;
    session_.idle_.notify_all();
  }

  call(const call&) = delete;
  call& operator=(const call&) = delete;

private:
  session& session_;
};

v1::PrepareResponse session::prepare(const v1::PrepareRequest& request) {
  const call call{*this, "Prepare", [&](const char* name) {
                    if (phase_ != phase::empty)
                      throw out_of_order(std::string{name}
                                         + ": the last world is still there, "
                                           "Teardown is missing");
                    validate(request);
                    request_ = request;
                    log_ = request.trace() ? std::make_shared<receive_log>() : nullptr;
                    inbox_ = std::make_shared<inbox>(runtime_.system());
                  }};
  // An abandoned world may have left an actor that was in the middle of something.
  static_cast<void>(runtime_.alive_beyond(0, dropped_patience));
  make_world();
  v1::PrepareResponse response;
  try {
    response.set_setup_nanos(static_cast<std::uint64_t>(world_->prepare()));
  } catch (const refusal&) {
    world_->drop();
    world_.reset();
    throw;
  }
  phase_ = phase::prepared;
  return response;
}

v1::ActResponse session::act(const v1::ActRequest& request) {
  const call call{*this, "Act", [&](const char* name) { require_drivable(name); }};
  v1::ActResponse response;
  response.set_turn(world_->act(request));
  phase_ = phase::acted;
  return response;
}

v1::TurnResponse session::turn() {
  const call call{*this, "Turn", [&](const char* name) { require_drivable(name); }};
  auto response = world_->turn();
  phase_ = phase::acted;
  return response;
}

void session::run(const v1::RunRequest& request,
                  const std::function<void(const v1::RunResponse&)>& item) {
  const call call{*this, "Run", [&](const char* name) {
                    require_undriven(name);
                    const auto alone = request_.trace() || request_.peers_size() > 1;
                    check("iterations", request.iterations(), 1, alone ? 1 : any);
                    phase_ = phase::ran;
                  }};
  for (std::uint32_t iteration = 0; iteration < request.iterations(); ++iteration) {
    if (iteration > 0) {
      remove_world();
      make_world();
      world_->prepare();
    }
    v1::RunResponse response;
    *response.mutable_receipt() = world_->run([&](std::uint64_t done, std::uint64_t total) {
      v1::RunResponse response;
      response.mutable_progress()->set_iteration(iteration);
      response.mutable_progress()->set_done(done);
      response.mutable_progress()->set_total(total);
      item(response);
    });
    item(response);
  }
}

void session::trace(const std::function<void(const v1::TraceResponse&)>& item) {
  std::shared_ptr<receive_log> log;
  {
    const std::lock_guard guard{mutex_};
    log = log_;
  }
  if (!log)
    throw out_of_order("Trace: Prepare with trace = true is missing");
  const auto events = log->drain([&](v1::TraceBatch& batch) {
    v1::TraceResponse response;
    response.mutable_batch()->Swap(&batch);
    item(response);
  });
  v1::TraceResponse response;
  response.mutable_footer()->set_events(events);
  item(response);
}

v1::TeardownResponse session::teardown(const v1::TeardownRequest& request) {
  v1::TeardownResponse response;
  if (request.abandon()) {
    {
      const std::lock_guard guard{mutex_};
      if (!under_way_ && phase_ == phase::empty)
        throw out_of_order("Teardown: Prepare is missing");
    }
    abandon();
    return response;
  }
  const call call{*this, "Teardown", [&](const char* name) {
                    if (phase_ == phase::empty)
                      throw out_of_order(std::string{name} + ": Prepare is missing");
                  }};
  if (phase_ != phase::ran)
    *response.mutable_receipt() = world_->finish();
  remove_world();
  phase_ = phase::empty;
  give_back_memory();
  return response;
}

void session::abandon() {
  std::unique_lock guard{mutex_};
  if (inbox_)
    inbox_->abandon();
  idle_.wait(guard, [this] { return under_way_ == nullptr; });
  if (world_)
    world_->drop();
  world_.reset();
  log_.reset();
  phase_ = phase::empty;
  static_cast<void>(runtime_.alive_beyond(0, drop_patience));
  give_back_memory();
}

void session::require_undriven(const char* name) const {
  if (phase_ == phase::empty)
    throw out_of_order(std::string{name} + ": Prepare is missing");
  if (phase_ != phase::prepared)
    throw out_of_order(std::string{name}
                       + " came too late: the world was driven already, "
                         "Teardown and Prepare are missing");
  if (request_.node() != 0)
    throw out_of_order(std::string{name} + ": this is node " + std::to_string(request_.node())
                       + ", the call is missing on node 0");
}

void session::require_drivable(const char* name) const {
  if (phase_ != phase::acted)
    require_undriven(name);
}

void session::make_world() {
  visit(request_.benchmark(), [this](const auto& parameters) { make_world_of(parameters); });
}

void session::make_world_of(const v1::ChatAppParameters& parameters) {
  auto scene = std::make_shared<dramaturg::scene>(inbox_->handle(), log_, false);
  world_ = std::make_unique<chatapp_world>(runtime_, *inbox_, std::move(scene),
                                           parameters_of(parameters));
}

template <class Parameters>
void session::make_world_of(const Parameters& parameters) {
  auto play = make_play(parameters);
  const auto in_parts = play->in_parts() || request_.peers_size() > 1;
  auto scene = std::make_shared<dramaturg::scene>(inbox_->handle(), log_, in_parts);
  world_ =
      std::make_unique<micro_world>(runtime_, *inbox_, std::move(scene), std::move(play), request_);
}

void session::remove_world() {
  world_->clear();
  const auto alive = runtime_.alive_beyond(0);
  if (alive > 0)
    throw broken(std::to_string(alive) + " actors do not end");
  world_.reset();
}

} // namespace dramaturg
