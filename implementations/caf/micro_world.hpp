#pragma once

#include "play.hpp"
#include "usher.hpp"
#include "world.hpp"

#include <memory>
#include <vector>

namespace dramaturg {

/// An iteration of a micro-benchmark, or one node's part of it.
class micro_world final : public world {
public:
  micro_world(runtime& runtime, inbox& inbox, scene_ptr scene, std::unique_ptr<play> play,
              const v1::PrepareRequest& request);

  nanos prepare() override;
  v1::Receipt run(const progress& report) override;
  v1::Receipt finish() override;
  void clear() override;

private:
  [[nodiscard]] bool is_distributed() const { return here_.nodes > 1; }

  void open_door();
  void connect(std::uint32_t node);
  void introduce_everybody();

  template <class Event, class Action>
  void await_from_others(Action action);

  [[nodiscard]] std::size_t alive(std::chrono::milliseconds patience);
  void record(const inbox::event& event);
  void record_what_is_left();
  [[nodiscard]] v1::Receipt receipt(const totals& report, std::size_t alive) const;

  std::shared_ptr<play> play_;
  place here_;
  std::vector<v1::Peer> nodes_;
  stage stage_;
  usher_handle usher_; // this node's, if it has one
  bool published_ = false;
  std::vector<usher_handle> others_; // of the nodes that this one has called
  totals parts_;
  std::vector<to_control::window> windows_;
  nanos busy_ = 0;
  nanos measured_ = 0;
};

} // namespace dramaturg
