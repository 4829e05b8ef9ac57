// Mergesort (spec/mergesort.md). Definitions stand in the order of the model.
#include "mergesort.hpp"

#include "lcg.hpp"

#include <algorithm>
#include <utility>

namespace dramaturg {

namespace {

constexpr std::uint32_t root = 1;

integers merge(const integers& one, const integers& other) {
  integers merged(one.size() + other.size());
  std::merge(one.begin(), one.end(), other.begin(), other.end(), merged.begin());
  return merged;
}

} // namespace

// -- sorter ------------------------------------------------------------------

sorter::sorter(pointer self, std::uint32_t place, sorter_handle maker, std::uint32_t leaf,
               scene_ptr scene)
    : lead{self, make_name(v1::ACTOR_CLASS_SORTER, place), std::move(scene)}, place_{place},
      maker_{std::move(maker)}, leaf_{leaf} {}

sorter::behavior_type sorter::make_behavior() {
  return {on<&sorter::sort>{this}, on<&sorter::sorted>{this}};
}

void sorter::sort(to_sorter::sort& m) {
  if (place_ == root)
    begin();
  const auto length = static_cast<std::uint32_t>(m.items.size());
  if (length <= leaf_) {
    items_ = std::move(m.items);
    std::sort(items_.begin(), items_.end());
    return answer();
  }
  const auto middle = (length + 1) / 2;
  split(2 * place_, m.first, {m.items.begin(), m.items.begin() + middle});
  split(2 * place_ + 1, m.first + middle, {m.items.begin() + middle, m.items.end()});
}

void sorter::sorted(to_sorter::sorted& m) {
  sorters_ += m.sorters;
  if (++halves_ == 1) {
    items_ = std::move(m.items);
    return;
  }
  items_ = merge(items_, m.items);
  answer();
}

void sorter::split(std::uint32_t place, std::uint32_t first, integers&& items) {
  send(spawn<sorter>(place, self(), leaf_), to_sorter::sort{name(), first, std::move(items)});
}

void sorter::answer() {
  if (place_ == root)
    return done(items_.size(), checksum(items_), sorters_);
  send(maker_, to_sorter::sorted{name(), std::move(items_), sorters_});
  terminate();
}

// -- play --------------------------------------------------------------------

namespace {

class mergesort_play final : public play {
public:
  explicit mergesort_play(const v1::MergesortParameters& parameters) : parameters_{parameters} {}

  void enter(stage& stage, place) override {
    lcg lcg{parameters_.seed()};
    input_.resize(parameters_.length());
    std::generate(input_.begin(), input_.end(), [&] { return lcg.next(); });
    root_ = stage.enter<sorter>(root, sorter_handle{}, parameters_.leaf());
  }

  void start(inbox& inbox) override {
    inbox.send(root_, to_sorter::sort{control_name, 0, std::move(input_)});
  }

  void write(v1::Receipt& receipt, const totals& report,
             const std::vector<to_control::window>&) const override {
    receipt.mutable_mergesort()->set_checksum(report.check);
    receipt.mutable_mergesort()->set_sorters(report.parts);
  }

private:
  v1::MergesortParameters parameters_;
  integers input_;
  sorter_handle root_;
};

} // namespace

std::unique_ptr<play> make_play(const v1::MergesortParameters& parameters) {
  return std::make_unique<mergesort_play>(parameters);
}

} // namespace dramaturg
