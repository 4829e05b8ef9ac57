#pragma once

#include "checksum.hpp"
#include "play.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace dramaturg {

/// Travels in messages, from the one who had it to the one who will.
using integers = std::vector<std::uint32_t>;

namespace to_sorter {

struct sort : message<v1::MESSAGE_KIND_SORTER_SORT> {
  std::uint32_t first;
  integers items;
  [[nodiscard]] auto args() const { return arguments(first, items.size(), checksum(items)); }
};

struct sorted : message<v1::MESSAGE_KIND_SORTER_SORTED> {
  integers items;
  std::uint32_t sorters;
  [[nodiscard]] auto args() const { return arguments(items.size(), checksum(items), sorters); }
};

} // namespace to_sorter

/// Splits in two halves, the first the longer if they differ, or sorts (SORT-3).
/// The root has no maker and reports to control.
class sorter : public lead<sorter_handle> {
public:
  sorter(pointer self, std::uint32_t place, sorter_handle maker, std::uint32_t leaf,
         scene_ptr scene);

  behavior_type make_behavior();

private:
  void sort(to_sorter::sort& m);
  void sorted(to_sorter::sorted& m);

  void split(std::uint32_t place, std::uint32_t first, integers&& items);
  void answer();

  std::uint32_t place_;
  sorter_handle maker_;
  std::uint32_t leaf_;
  integers items_;
  std::uint32_t halves_ = 0;
  std::uint32_t sorters_ = 1;
};

std::unique_ptr<play> make_play(const v1::MergesortParameters& parameters);

} // namespace dramaturg
