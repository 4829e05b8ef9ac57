#include "usher.hpp"

#include <utility>

namespace dramaturg {

usher::usher(pointer self, std::uint32_t node, std::shared_ptr<play> play, scene_ptr scene)
    : actor_state{self, control_name, std::move(scene)}, node_{node}, play_{std::move(play)} {}

usher::behavior_type usher::make_behavior() {
  return {[this](const to_usher::call&) {
            send(sender<control_handle>(), to_control::present{play_->present()});
          },
          [this](const to_usher::introduce& m) {
            play_->meet(m.all);
            send(sender<control_handle>(), to_control::acquainted{node_});
          }};
}

} // namespace dramaturg
