#pragma once

#include <cstddef>
#include <cstdint>

namespace dramaturg {

/// One number folded into a digest (ACT-8). Sums of digests have 32 bits, too.
constexpr std::uint32_t fold(std::uint32_t digest, std::uint32_t number) noexcept {
  const auto folded = 1664525 * digest + 1013904223 + number;
  return folded ^ (folded >> 16);
}

/// The checksum of a sequence, from `start` on: it depends on every item and on their order.
template <class Sequence>
constexpr std::uint32_t checksum(std::uint32_t start, const Sequence& numbers) noexcept {
  for (const auto number : numbers)
    start = 31 * start + static_cast<std::uint32_t>(number);
  return start;
}

} // namespace dramaturg
