// Chain (spec/chain.md). Definitions stand in the order of the model.
#include "chain.hpp"

#include <utility>

namespace dramaturg {

// -- link --------------------------------------------------------------------

link::link(pointer self, std::uint32_t index, link_handle maker, scene_ptr scene)
    : lead{self, make_name(v1::ACTOR_CLASS_LINK, index), std::move(scene)}, index_{index},
      maker_{std::move(maker)} {}

// In an abandoned world a link ends before it has reported. Were its maker's last
// handle just dropped here, CAF would destroy the whole chain on one stack.
link::~link() {
  if (maker_)
    compat::kill(maker_);
}

link::behavior_type link::make_behavior() {
  return {on<&link::grow>{this}, on<&link::finish>{this}};
}

void link::grow(const to_link::grow& m) {
  if (index_ == 0)
    begin();
  if (m.left > 0)
    send(spawn<link>(index_ + 1, self()), to_link::grow{name(), m.left - 1});
  else
    report(1);
}

void link::finish(const to_link::finish& m) {
  report(m.length + 1);
}

void link::report(std::uint32_t length) {
  if (index_ == 0)
    return done(length, 0, 0);
  send(std::exchange(maker_, nullptr), to_link::finish{name(), length});
  terminate();
}

// -- play --------------------------------------------------------------------

namespace {

class chain_play final : public play {
public:
  explicit chain_play(const v1::ChainParameters& parameters) : length_{parameters.length()} {}

  void enter(stage& stage, place) override { first_ = stage.enter<link>(0U, link_handle{}); }

  void start(inbox& inbox) override {
    inbox.send(std::exchange(first_, nullptr), to_link::grow{control_name, length_ - 1});
  }

  void write(v1::Receipt& receipt, const totals& report,
             const std::vector<to_control::window>&) const override {
    receipt.mutable_chain()->set_length(report.result);
  }

private:
  std::uint32_t length_;
  link_handle first_;
};

} // namespace

std::unique_ptr<play> make_play(const v1::ChainParameters& parameters) {
  return std::make_unique<chain_play>(parameters);
}

} // namespace dramaturg
