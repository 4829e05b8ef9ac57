#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace dramaturg {

/// The shared random generator (spec/lcg.md): `x' = (1309 x + 13849) mod 65536`,
/// and the new state is the output. Every actor that draws has one of its own.
class lcg {
public:
  explicit constexpr lcg(std::uint32_t seed) noexcept : state_{seed} {}

  [[nodiscard]] constexpr std::uint32_t state() const noexcept { return state_; }

  /// The next raw number, 0..65535.
  constexpr std::uint32_t next() noexcept { return state_ = (1309 * state_ + 13849) & 0xFFFF; }

  /// The next number below `limit`; with 0 the raw number. Always one draw.
  constexpr std::uint32_t next_int(std::size_t limit) noexcept {
    const auto number = next();
    return limit == 0 ? number : number % static_cast<std::uint32_t>(limit);
  }

  /// Shuffles in place with `items.size() - 1` draws, from the back.
  template <class Sequence>
  constexpr void shuffle(Sequence& items) noexcept {
    for (auto i = items.size(); i > 1; --i) {
      using std::swap;
      swap(items[i - 1], items[next_int(i)]);
    }
  }

private:
  std::uint32_t state_;
};

} // namespace dramaturg
