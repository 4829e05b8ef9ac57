#pragma once

#include "dramaturg/v2/control.pb.h"
#include "name.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace dramaturg {

/// One row of `Prepare`'s watches: which actors of a class, and which of their messages.
struct watch {
  std::uint32_t modulus;
  std::uint32_t remainder;
  std::uint32_t first;
  std::uint32_t last;
  std::uint64_t first_event;
  std::uint64_t end_of_events;

  [[nodiscard]] bool fits(std::uint32_t index) const noexcept {
    return first <= index && index <= last && index % modulus == remainder;
  }
};

/// All rows, by class, so that to be born costs no more than a look into an empty list
/// where a class has none.
class watches {
public:
  using rows = google::protobuf::RepeatedPtrField<v2::Watch>;

  explicit watches(const rows& rows) {
    constexpr auto all = std::numeric_limits<std::uint32_t>::max();
    constexpr auto never = std::numeric_limits<std::uint64_t>::max();
    for (const auto& row : rows) {
      const auto end = row.events() == all ? never : std::uint64_t{row.from()} + row.events();
      const watch watch{row.modulus(), row.remainder(), row.first(), row.last(), row.from(), end};
      for (std::size_t c = 0; c < by_class_.size(); ++c)
        if (row.class_() == 0 || row.class_() == c)
          by_class_[c].push_back(watch);
    }
  }

  /// The first row that fits the actor, if there is one.
  [[nodiscard]] const watch* find(name_t actor) const noexcept {
    for (const auto& watch : by_class_[class_of(actor)])
      if (watch.fits(index_of(actor)))
        return &watch;
    return nullptr;
  }

private:
  std::array<std::vector<watch>, 128> by_class_;
};

} // namespace dramaturg
