#pragma once

#include <cstddef>
#include <cstdint>

namespace dramaturg {

/// One number folded into a digest (ACT-8). Sums of digests have 32 bits, too.
constexpr std::uint32_t fold(std::uint32_t digest, std::uint32_t number) noexcept {
  return 31 * (digest ^ number) + 1;
}

/// A sequence folded in order: it depends on every item and on their order.
template <class Sequence>
constexpr std::uint32_t fold_all(std::uint32_t digest, const Sequence& numbers) noexcept {
  for (const auto number : numbers)
    digest = fold(digest, static_cast<std::uint32_t>(number));
  return digest;
}

} // namespace dramaturg
