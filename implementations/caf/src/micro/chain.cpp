// Chain (spec/chain.md). Definitions stand in the order of the model.
#include "micro/chain.hpp"

#include "fold.hpp"
#include "lead.hpp"

#include <utility>

namespace dramaturg {

namespace {

/// One link (CHAIN-1, CHAIN-2). Link 0 is made in set-up, without a maker, and reports
/// to control.
class link : public lead<link_handle> {
public:
  link(pointer self, environment_ptr environment, std::uint32_t index, link_handle maker)
      : lead{self, std::move(environment), make_name(v2::ACTOR_CLASS_LINK, index)},
        maker_{std::move(maker)} {}

  behavior_type make_behavior() { return {on<&link::grow>{this}, on<&link::finish>{this}}; }

private:
  void grow(const to_link::grow& m) {
    const auto digest = fold(m.digest, m.left);
    if (m.left > 0)
      send(spawn<link>(index() + 1, self()), to_link::grow{name(), m.left - 1, digest});
    else
      report(1, digest);
  }

  void finish(const to_link::finish& m) { report(m.length + 1, fold(m.digest, m.length)); }

  void report(std::uint32_t length, std::uint32_t digest) {
    if (maker_)
      send(std::exchange(maker_, nullptr), to_link::finish{name(), length, digest});
    else
      done(length, digest);
    terminate();
  }

  link_handle maker_;
};

class chain final : public benchmark {
public:
  explicit chain(const v2::ChainParameters& parameters) : length_{parameters.length()} {}

  void set_up(const spawner& spawner, inbox&) override {
    first_ = spawner.spawn<link>(0U, link_handle{});
  }

  void start(inbox& inbox, std::uint32_t salt) override {
    inbox.send(std::exchange(first_, nullptr), to_link::grow{control_name, length_ - 1, salt});
  }

private:
  std::uint32_t length_;
  link_handle first_;
};

} // namespace

std::unique_ptr<benchmark> make_benchmark(const v2::ChainParameters& parameters) {
  return std::make_unique<chain>(parameters);
}

} // namespace dramaturg
