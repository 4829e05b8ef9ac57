#pragma once

#include "chatapp.hpp"
#include "world.hpp"

#include <vector>

namespace dramaturg {

/// An iteration of ChatApp, driven through its poker.
class chatapp_world final : public world {
public:
  chatapp_world(runtime& runtime, inbox& inbox, scene_ptr scene,
                const chatapp_parameters& parameters)
      : world{runtime, inbox, std::move(scene)}, parameters_{parameters} {}

  nanos prepare() override;
  std::uint32_t act(const v1::ActRequest& request) override;
  v1::TurnResponse turn() override;
  v1::Receipt run(const progress& report) override;
  v1::Receipt finish() override;
  void clear() override;

private:
  to_control::confirmed confirmation();
  void record(const to_control::confirmed& confirmed);
  v1::Receipt receipt(const sums& totals) const;

  chatapp_parameters parameters_;
  poker_handle poker_;
  nanos busy_ = 0; // time spent in calls; what passes between them is not measured
  std::vector<nanos> turn_nanos_;
  nanos measured_ = 0; // the part of it from poke to confirm
  std::uint64_t confirms_ = 0;
  std::uint64_t fib_sum_ = 0;
};

} // namespace dramaturg
