#pragma once

#include "control/room.hpp"
#include "dramaturg/v2/control.pb.h"
#include "name.hpp"

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace dramaturg {

/// Whether this build can watch; that of the variant `bare` cannot.
inline constexpr bool can_watch = DRAMATURG_WATCHES;

/// Rows of some actors, in batches that are small enough for the protocol. All of an
/// actor's are in one shard, so they stay in order; several shards keep workers from
/// queueing up behind one lock.
struct log_shard {
  std::mutex mutex;
  std::vector<v2::TraceBatch> batches;

  /// All batches; none is left here.
  std::vector<v2::TraceBatch> take() {
    const std::lock_guard guard{mutex};
    return std::exchange(batches, {});
  }
};

/// An actor's place in the log. Only the actor itself writes to it.
class watched_actor {
public:
  // No log could hold more than the number of events that stands for all.
  watched_actor(name_t name, const v2::Watch& watch, log_shard& shard, room& room)
      : name_{name}, first_{watch.from()}, end_{first_ + watch.events()}, shard_{shard},
        room_{room} {}

  [[nodiscard]] name_t name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t taken() const noexcept {
    return taken_.load(std::memory_order_relaxed);
  }

  /// Whether the message being taken falls into the slice that is to be logged.
  [[nodiscard]] bool logs_next() const noexcept { return first_ <= taken() && taken() < end_; }

  /// Counts the message.
  void count() noexcept { taken_.store(taken() + 1, std::memory_order_relaxed); }

  /// Counts the message and enters it, as soon as there is room.
  void log(name_t sender, v2::MessageKind kind, const std::uint64_t* arguments, int arity);

private:
  name_t name_;
  std::uint64_t first_;
  std::uint64_t end_;
  log_shard& shard_;
  room& room_;
  std::atomic<std::uint64_t> taken_ = 0;
};

/// What was logged in one world (TRACE-1). It is outside the program (IMPL-2): nobody but
/// the control port reads it, from any thread, also while actors write.
class receive_log {
public:
  explicit receive_log(const v2::PrepareRequest& request);

  /// The record of an actor that is being born; none if no watch fits it. That costs no
  /// more than a look into an empty list where the actor's class has no watches.
  watched_actor* enroll(name_t actor) {
    if (can_watch)
      for (const auto& watch : watches_[class_of(actor)])
        if (fits(watch, index_of(actor)))
          return &add(actor, watch);
    return nullptr;
  }

  /// Lets no more events than that be logged and not delivered, from now on, when nobody takes
  /// anything; 0 is no limit (CTRL-18).
  void limit(std::uint64_t events);

  /// Hands over what was logged and not handed over before, how many messages each
  /// watched actor has taken by now, and the footer. With a limit there are no counts.
  void drain(const std::function<void(const v2::TraceResponse&)>& deliver);

private:
  static bool fits(const v2::Watch& watch, std::uint32_t index);
  watched_actor& add(name_t actor, const v2::Watch& watch);
  std::vector<v2::TraceResponse> counts();

  std::array<std::vector<v2::Watch>, 128> watches_; // by class
  std::array<log_shard, 16> shards_;
  room room_;
  std::mutex births_;
  std::deque<watched_actor> actors_;
};

} // namespace dramaturg
