#include "runtime.hpp"

#include "plays.hpp"
#include "setup_messages.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>

#define DRAMATURG_REGISTER_REMOTE(RECEIVER, MESSAGE)                                               \
  compat::register_remote<RECEIVER::MESSAGE>(config_, #RECEIVER "." #MESSAGE);

namespace dramaturg {

namespace {

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
        compat::configure(config_, policy_, workers_);
        DRAMATURG_REMOTE_MESSAGES(DRAMATURG_REGISTER_REMOTE)
        config_.load<caf::io::middleman>();
        return config_;
      }()},
      empty_{[this] {
        const caf::scoped_actor like_an_inbox{system_};
        return system_.registry().running();
      }()} {}

std::size_t runtime::alive_beyond(std::size_t expected, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  auto pause = std::chrono::microseconds{20};
  for (;;) {
    const auto running = system_.registry().running();
    const auto allowed = empty_ + expected;
    if (running <= allowed || std::chrono::steady_clock::now() > deadline)
      return running - std::min(running, allowed);
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds{2000});
  }
}

} // namespace dramaturg
