#pragma once

#include "world.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace dramaturg {

/// The life of the harness's session (control.proto): which call may come when,
/// and what it does. Any thread may call; what cannot be answered throws a
/// `refusal`.
class session {
public:
  explicit session(runtime& runtime) : runtime_{runtime} {}

  v1::PrepareResponse prepare(const v1::PrepareRequest& request);
  v1::ActResponse act(const v1::ActRequest& request);
  v1::TurnResponse turn();
  void run(const v1::RunRequest& request, const std::function<void(const v1::RunResponse&)>& item);
  void trace(const std::function<void(const v1::TraceResponse&)>& item);
  v1::TeardownResponse teardown(const v1::TeardownRequest& request);

  /// Drops the world, if there is one, and ends the call that is under way.
  void abandon();

private:
  enum class phase { empty, prepared, acted, ran };

  // The world belongs to one call at a time; `Trace` and `abandon` do without.
  class call;

  void require_undriven(const char* name) const;
  void require_drivable(const char* name) const;
  void make_world();
  void make_world_of(const v1::ChatAppParameters& parameters);
  template <class Parameters>
  void make_world_of(const Parameters& parameters);
  void remove_world();

  runtime& runtime_;

  std::mutex mutex_; // guards the life of a call, and handing over what follows
  std::condition_variable idle_;
  const char* under_way_ = nullptr; // the name of the call that has the world
  phase phase_ = phase::empty;
  v1::PrepareRequest request_;
  std::shared_ptr<inbox> inbox_;
  std::shared_ptr<receive_log> log_;
  std::unique_ptr<world> world_;
};

} // namespace dramaturg
