#pragma once

#include "actor.hpp"
#include "dramaturg/v1/control.pb.h"
#include "inbox.hpp"
#include "runtime.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace dramaturg {

/// How often progress is reported: above zero and below ten times a second.
inline constexpr std::chrono::milliseconds report_interval{250};

/// One iteration of a benchmark, seen from the control port. Its calls come one
/// at a time, from any thread, and throw a `refusal` when an actor has failed
/// or when the inbox was told to abandon.
class world {
public:
  /// Is told, every `report_interval`, how many turns or rounds are done.
  using progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

  world(runtime& runtime, inbox& inbox, scene_ptr scene)
      : runtime_{runtime}, inbox_{inbox}, scene_{std::move(scene)} {}

  virtual ~world() = default;
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  /// Builds the world; returns when it is quiet (CTRL-4), with the time it took.
  virtual nanos prepare() = 0;

  /// One client acts. Returns the turn's number. Only ChatApp has turns.
  virtual std::uint32_t act(const v1::ActRequest&) { throw without_turns(); }

  /// All clients act.
  virtual v1::TurnResponse turn() { throw without_turns(); }

  /// Plays the whole iteration, to its end, and says what was done.
  virtual v1::Receipt run(const progress& report) = 0;

  /// Ends the iteration if it was not run, and says what was done.
  virtual v1::Receipt finish() = 0;

  /// Removes the actors that the benchmark excepts. They are gone a moment later.
  virtual void clear() = 0;

  /// Removes everything. Who is in the middle of something, or has much in its
  /// mailbox, ends upon its next message.
  void drop() {
    scene_->duty = duty::leave;
    clear();
  }

protected:
  static refusal without_turns() {
    return out_of_order("the prepared world has no turns: Prepare a ChatApp world first");
  }

  runtime& runtime_;
  inbox& inbox_;
  scene_ptr scene_;
};

} // namespace dramaturg
