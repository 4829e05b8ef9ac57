#pragma once

#include "benchmark.hpp"
#include "fold.hpp"
#include "message.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace dramaturg {

/// Travels in messages, from the one who had it to the one who will.
using integers = std::vector<std::uint32_t>;

namespace to_sorter {

/// With control's come no items: the root makes `length` of them (SORT-1).
struct sort : message<v2::MESSAGE_KIND_SORTER_SORT> {
  std::uint32_t first;
  std::uint32_t length;
  integers items;
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const {
    return std::tuple{first, length, salt, checksum(salt, items)};
  }
};

struct sorted : message<v2::MESSAGE_KIND_SORTER_SORTED> {
  integers items;
  std::uint32_t sorters;
};

} // namespace to_sorter

/// spec/mergesort.md.
std::unique_ptr<benchmark> make_benchmark(const v2::MergesortParameters& parameters);

} // namespace dramaturg
