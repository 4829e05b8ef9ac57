#pragma once

#include "play.hpp"
#include "setup_messages.hpp"

#include <cstdint>
#include <memory>

namespace dramaturg {

/// Answers at the door of a node, whose address is all that node 0 knows of it, and
/// stays there so that node 0 notices when the node is lost. No actor of the
/// benchmark: it is not traced and takes no part.
class usher : public actor_state<usher_handle> {
public:
  usher(pointer self, std::uint32_t node, std::shared_ptr<play> play, scene_ptr scene);

  behavior_type make_behavior();

private:
  std::uint32_t node_;
  std::shared_ptr<play> play_;
};

} // namespace dramaturg
