#pragma once

#include <cstddef>
#include <cstdint>

namespace dramaturg {

/// Depends on every item and on their order (SORT-2, BROKER-3): from 0,
/// `c' = (31 c + item) mod 2^32`. Four items at a time, since each step would
/// otherwise wait for the multiplication of the last.
template <class Sequence>
std::uint32_t checksum(const Sequence& items) {
  constexpr std::uint32_t once = 31, twice = once * once, thrice = twice * once;
  const auto item = [&](std::size_t i) { return static_cast<std::uint32_t>(items[i]); };
  std::uint32_t sum = 0;
  std::size_t i = 0;
  for (; i + 4 <= items.size(); i += 4)
    sum = thrice * once * sum
          + (thrice * item(i) + twice * item(i + 1) + once * item(i + 2) + item(i + 3));
  for (; i < items.size(); ++i)
    sum = once * sum + item(i);
  return sum;
}

} // namespace dramaturg
