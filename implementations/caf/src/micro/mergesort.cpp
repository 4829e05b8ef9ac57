// Mergesort (spec/mergesort.md). Definitions stand in the order of the model.
#include "micro/mergesort.hpp"

#include "lead.hpp"

#include <algorithm>
#include <utility>

namespace dramaturg {

namespace {

constexpr std::uint32_t root = 1;

/// The input (SORT-1).
integers make_numbers(std::uint32_t length, std::uint32_t seed, std::uint32_t salt) {
  integers numbers(length);
  stream drawn{fold(salt, seed)};
  std::generate(numbers.begin(), numbers.end(), [&] { return drawn.next() >> 16; });
  return numbers;
}

integers merge(const integers& one, const integers& other) {
  integers merged(one.size() + other.size());
  std::merge(one.begin(), one.end(), other.begin(), other.end(), merged.begin());
  return merged;
}

/// Splits in two halves, the first the longer if they differ, or sorts (SORT-3). The
/// root has no maker, makes the input and reports to control.
class sorter : public lead<sorter_handle> {
public:
  sorter(pointer self, environment_ptr environment, std::uint32_t place, sorter_handle maker,
         std::uint32_t leaf, std::uint32_t seed)
      : lead{self, std::move(environment), make_name(v2::ACTOR_CLASS_SORTER, place)},
        maker_{std::move(maker)}, leaf_{leaf}, seed_{seed} {}

  using lead::arguments_of;

  /// A list is logged by its checksum, which begins with a salt that the message lacks.
  [[nodiscard]] auto arguments_of(const to_sorter::sorted& m) const {
    return std::tuple{m.items.size(), m.sorters, checksum(salt_, m.items)};
  }

  behavior_type make_behavior() { return {on<&sorter::sort>{this}, on<&sorter::sorted>{this}}; }

private:
  void sort(to_sorter::sort& m) {
    salt_ = m.salt;
    if (index() == root)
      m.items = make_numbers(m.length, seed_, salt_);
    if (m.length <= leaf_) {
      items_ = std::move(m.items);
      std::sort(items_.begin(), items_.end());
      return answer();
    }
    const auto middle = (m.length + 1) / 2;
    split(2 * index(), m.first, {m.items.begin(), m.items.begin() + middle});
    split(2 * index() + 1, m.first + middle, {m.items.begin() + middle, m.items.end()});
  }

  void sorted(to_sorter::sorted& m) {
    sorters_ += m.sorters;
    if (++halves_ == 1) {
      items_ = std::move(m.items);
      return;
    }
    items_ = merge(items_, m.items);
    answer();
  }

  void split(std::uint32_t place, std::uint32_t first, integers&& items) {
    const auto length = static_cast<std::uint32_t>(items.size());
    send(spawn<sorter>(place, self(), leaf_, seed_),
         to_sorter::sort{name(), first, length, std::move(items), salt_});
  }

  void answer() {
    if (index() == root)
      report(stopwatch::stop());
    else
      send(maker_, to_sorter::sorted{name(), std::move(items_), sorters_});
    terminate();
  }

  void report(stopwatch::stamp sorted) {
    done_at(sorted, items_.size(), sorters_, checksum(salt_, items_));
  }

  sorter_handle maker_;
  std::uint32_t leaf_;
  std::uint32_t seed_;
  std::uint32_t salt_ = 0;
  integers items_;
  std::uint32_t halves_ = 0;
  std::uint32_t sorters_ = 1;
};

class mergesort final : public benchmark {
public:
  explicit mergesort(const v2::MergesortParameters& parameters) : parameters_{parameters} {}

  void set_up(const spawner& spawner, inbox&) override {
    const auto& p = parameters_;
    root_ = spawner.spawn<sorter>(root, sorter_handle{}, p.leaf(), p.seed());
  }

  void start(inbox& inbox, std::uint32_t salt) override {
    inbox.send(root_, to_sorter::sort{control_name, 0, parameters_.length(), {}, salt});
  }

private:
  v2::MergesortParameters parameters_;
  sorter_handle root_;
};

} // namespace

std::unique_ptr<benchmark> make_benchmark(const v2::MergesortParameters& parameters) {
  return std::make_unique<mergesort>(parameters);
}

} // namespace dramaturg
