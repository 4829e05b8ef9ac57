#pragma once

#include <cstddef>
#include <cstdint>

namespace dramaturg {

/// One number folded into a digest (ACT-8). Sums of digests have 32 bits, too.
constexpr std::uint32_t fold(std::uint32_t digest, std::uint32_t number) noexcept {
  const auto folded = 1664525 * digest + 1013904223 + number;
  return folded ^ (folded >> 16);
}

/// What a payload of ChatApp is in sums: its two halves, folded.
constexpr std::uint32_t digest(std::uint64_t payload) noexcept {
  return fold(static_cast<std::uint32_t>(payload >> 32), static_cast<std::uint32_t>(payload));
}

/// The numbers of the stream from a key (ACT-11), in their order.
class stream {
public:
  explicit constexpr stream(std::uint32_t key) noexcept : drawn_{key} {}

  constexpr std::uint32_t next() noexcept { return drawn_ = fold(drawn_, place_++); }

private:
  std::uint32_t drawn_;
  std::uint32_t place_ = 0;
};

/// The checksum of a sequence, from `start` on: it depends on every item and on their order.
/// Four items at a time, since each step would otherwise wait for the product of the last.
template <class Sequence>
constexpr std::uint32_t checksum(std::uint32_t start, const Sequence& numbers) noexcept {
  constexpr std::uint32_t once = 31, twice = once * once, thrice = twice * once;
  const auto number = [&](std::size_t i) { return static_cast<std::uint32_t>(numbers[i]); };
  std::size_t i = 0;
  for (; i + 4 <= numbers.size(); i += 4)
    start = thrice * once * start
            + (thrice * number(i) + twice * number(i + 1) + once * number(i + 2) + number(i + 3));
  for (; i < numbers.size(); ++i)
    start = once * start + number(i);
  return start;
}

} // namespace dramaturg
