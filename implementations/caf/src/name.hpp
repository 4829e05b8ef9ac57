#pragma once

#include "dramaturg/v2/trace.pb.h"

#include <cstdint>
#include <string>

namespace dramaturg {

/// An actor's canonical name (spec/actors.md): class << 56 | index << 24 | second.
using name_t = std::uint64_t;

constexpr name_t make_name(v2::ActorClass actor_class, std::uint32_t index = 0,
                           std::uint32_t second = 0) noexcept {
  return name_t{static_cast<std::uint8_t>(actor_class)} << 56 | name_t{index} << 24 | second;
}

constexpr std::uint8_t class_of(name_t name) noexcept {
  return static_cast<std::uint8_t>(name >> 56);
}

constexpr std::uint32_t index_of(name_t name) noexcept {
  return static_cast<std::uint32_t>(name >> 24);
}

/// The sender of what the harness asked for. No actor, and without a log.
inline constexpr auto control_name = make_name(v2::ACTOR_CLASS_CONTROL);

/// A name as people read it: `client/17`, `chat/17.2`.
std::string spell(name_t name);

} // namespace dramaturg
