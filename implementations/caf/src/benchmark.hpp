#pragma once

#include "dramaturg/v1/benchmarks.pb.h"
#include "inbox.hpp"
#include "lead.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace dramaturg {

/// Where a world is: which node this is, of how many.
struct place {
  std::uint32_t node = 0;
  std::uint32_t nodes = 1;
};

/// The indices of a class of actors that live on one node: `first`, `first + step`
/// and so on (spec/distributed.md, model/places.py).
struct share {
  std::uint32_t first;
  std::uint32_t step;

  /// Dealt to all nodes in turn.
  static share round(place here) { return {here.node, here.nodes}; }

  /// Dealt to all nodes but the first, if there are others.
  static share round_the_rest(place here) {
    if (here.nodes == 1)
      return {0, 1};
    return {here.node == 0 ? nobody : here.node - 1, here.nodes - 1};
  }

private:
  static constexpr std::uint32_t nobody = 1U << 31;
};

/// The actors that exist before the first message, while they do.
class stage {
public:
  stage(caf::actor_system& system, scene_ptr scene) : system_{system}, scene_{std::move(scene)} {}

  template <class State, class... Args>
  auto enter(Args&&... args) {
    auto actor = compat::spawn<State>(system_, std::forward<Args>(args)..., scene_);
    everybody_.push_back(caf::actor_cast<caf::actor>(actor));
    return actor;
  }

  /// Ends everybody who has not ended yet.
  void clear() {
    for (const auto& actor : everybody_)
      compat::kill(actor);
    everybody_.clear();
  }

private:
  caf::actor_system& system_;
  scene_ptr scene_;
  std::vector<caf::actor> everybody_;
};

template <class Lead, class Other>
company company_of(const Lead& lead, const std::vector<Other>& others) {
  company result{caf::actor_cast<caf::strong_actor_ptr>(lead), {}};
  for (const auto& other : others)
    result.others.push_back(caf::actor_cast<caf::strong_actor_ptr>(other));
  return result;
}

/// Takes over whom `all` knows.
template <class Lead, class Other>
void recognise(const company& all, Lead& lead, std::vector<Other>& others) {
  if (all.lead)
    lead = caf::actor_cast<Lead>(all.lead);
  for (std::size_t i = 0; i < all.others.size(); ++i)
    if (all.others[i])
      others[i] = caf::actor_cast<Other>(all.others[i]);
}

template <class Parameters>
window_parameters windows_of(const Parameters& parameters) {
  return {parameters.windows(), std::chrono::milliseconds{parameters.window()}};
}

template <class Receipt>
void write_windows(Receipt& receipt, const std::vector<to_control::window>& windows) {
  for (const auto& window : windows) {
    receipt.add_windows(window.count);
    receipt.add_window_nanos(static_cast<std::uint64_t>(window.lasted));
  }
}

/// A micro-benchmark as the control port sees it (`Piece` in the model's play.py):
/// who is there at first, what the lead is told, and what its report means. Each
/// has one at the end of its own file.
class play {
public:
  play() = default;
  virtual ~play() = default;
  play(const play&) = delete;
  play& operator=(const play&) = delete;

  /// Brings on who is there from the beginning and lives here.
  virtual void enter(stage& stage, place here) = 0;

  /// Speaks the one line of the script, to the lead.
  virtual void start(inbox& inbox) = 0;

  /// Writes what was reported into the receipt; windows are none in a counted form.
  virtual void write(v1::Receipt& receipt, const totals& report,
                     const std::vector<to_control::window>& windows) const = 0;

  /// Whether the receipt is the sum of parts on a single node, too.
  [[nodiscard]] virtual bool in_parts() const { return false; }

  // -- of those that run on several nodes --

  /// Who lives here.
  [[nodiscard]] virtual company present() const { return {}; }

  /// Makes those who live here know all others. Nobody plays yet.
  virtual void meet(const company&) {}

  /// Whether everybody speaks to everybody, and not to node 0 alone.
  [[nodiscard]] virtual bool is_mesh() const { return false; }
};

/// What actors of a world know of each other: written by the control port before
/// the first message, and by nobody after it.
template <class Cast>
using cast_ptr = std::shared_ptr<const Cast>;

} // namespace dramaturg
