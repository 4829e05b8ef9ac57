#include "control/runtime.hpp"

#include "benchmarks.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>

#define DRAMATURG_REGISTER_REMOTE(RECEIVER, MESSAGE)                                               \
  compat::register_remote<RECEIVER::MESSAGE>(config_, #RECEIVER "." #MESSAGE);

namespace dramaturg {

namespace {

using namespace std::chrono_literals;

// CAF's own default is at least 4 threads and knows nothing of pinning.
std::size_t usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return static_cast<std::size_t>(CPU_COUNT(&set));
  return std::max(1U, std::thread::hardware_concurrency());
}

} // namespace

runtime::runtime(const std::string& policy)
    : policy_{policy}, workers_{usable_cores()}, system_{[this]() -> caf::actor_system_config& {
        compat::register_messages();
        DRAMATURG_REMOTE_MESSAGES(DRAMATURG_REGISTER_REMOTE)
        config_.load<caf::io::middleman>();
        compat::configure(config_, policy_, workers_);
        return config_;
      }()},
      own_actors_{[this] {
        const caf::scoped_actor like_an_inbox{system_};
        return system_.registry().running();
      }()} {}

std::size_t runtime::await_end() {
  constexpr auto patience = 1s;
  auto pause = 20us;
  auto left = system_.registry().running();
  auto changed = std::chrono::steady_clock::now();
  while (left > own_actors_ && std::chrono::steady_clock::now() - changed < patience) {
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds{2ms});
    if (const auto now = system_.registry().running(); now != left) {
      left = now;
      changed = std::chrono::steady_clock::now();
    }
  }
  return left - own_actors_;
}

} // namespace dramaturg
