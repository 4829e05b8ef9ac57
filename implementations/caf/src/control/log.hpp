#pragma once

#include "dramaturg/v1/trace.pb.h"

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace dramaturg {

/// An actor's canonical name (spec/actors.md): class << 56 | index << 24 | second.
using name_t = std::uint64_t;

constexpr name_t make_name(v1::ActorClass actor_class, std::uint32_t index = 0,
                           std::uint32_t second = 0) noexcept {
  return name_t{static_cast<std::uint8_t>(actor_class)} << 56 | name_t{index} << 24 | second;
}

constexpr std::uint32_t index_of(name_t name) noexcept {
  return static_cast<std::uint32_t>(name >> 24);
}

/// The sender of what the harness asked for. No actor, and without a log.
inline constexpr auto control_name = make_name(v1::ACTOR_CLASS_CONTROL);

/// A name as people read it: `client/17`, `chat/17.2`.
std::string spell(name_t name);

/// Whether this build can trace; that of the variant `bare` cannot.
inline constexpr bool can_trace = DRAMATURG_TRACING;

/// The receive logs of one traced world: for each actor, what it took from its
/// mailbox, in order. It is outside the program (IMPL-2): actors of an untraced
/// world have none, and nobody but the control port reads it.
class receive_log {
public:
  template <std::size_t Arity>
  void append(name_t actor, std::uint32_t seq, name_t sender, v1::MessageKind kind,
              const std::array<std::uint64_t, Arity>& args) {
    auto& mine = shards_[index_of(actor) % shards_.size()];
    const std::lock_guard guard{mine.mutex};
    mine.rows.push_back({actor, sender, seq, static_cast<std::uint16_t>(kind), Arity});
    mine.args.insert(mine.args.end(), args.begin(), args.end());
  }

  /// Hands over every event logged so far and not handed over before, in
  /// batches that are small enough for the protocol and are `deliver`'s to keep.
  /// Returns the number of events.
  std::uint64_t drain(const std::function<void(v1::TraceBatch&)>& deliver);

private:
  struct row {
    name_t actor;
    name_t sender;
    std::uint32_t seq;
    std::uint16_t kind;
    std::uint16_t arity;
  };

  // All rows of an actor are in the same shard, so they stay in order; several
  // shards keep workers from queueing up behind one lock.
  struct shard {
    std::mutex mutex;
    std::vector<row> rows;
    std::vector<std::uint64_t> args;
  };

  std::array<shard, 16> shards_;
};

} // namespace dramaturg
