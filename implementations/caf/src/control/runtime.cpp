#include "control/runtime.hpp"

#include "benchmarks.hpp"

#include <sched.h>

#include <chrono>
#include <thread>

#define DRAMATURG_REGISTER_REMOTE(RECEIVER, MESSAGE)                                               \
  compat::register_remote<RECEIVER::MESSAGE>(*this, #RECEIVER "." #MESSAGE);

namespace dramaturg {

namespace {

// CAF's own default is at least 4 threads and knows nothing of pinning.
std::size_t usable_cores() {
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  return static_cast<std::size_t>(CPU_COUNT(&set));
}

// Who steals takes the newest of its own jobs first, and the oldest of others. A worker without
// others never comes to the oldest, such as a timer's message, while actors keep each other busy.
std::string policy_for(std::size_t workers, const std::string& asked) {
  return workers == 1 ? "sharing" : asked;
}

} // namespace

configuration::configuration(const std::string& policy, std::size_t workers)
    : workers{workers ? workers : usable_cores()}, policy{policy_for(this->workers, policy)} {
  DRAMATURG_REMOTE_MESSAGES(DRAMATURG_REGISTER_REMOTE)
  load<caf::io::middleman>();
  compat::configure(*this, this->policy, this->workers);
}

runtime::runtime(const std::string& policy, std::size_t workers) : config{policy, workers} {
  const caf::scoped_actor like_an_inbox{system};
  own_actors = system.registry().running();
}

std::size_t runtime::await_end() {
  using namespace std::chrono_literals;
  using clock = std::chrono::steady_clock;
  auto left = system.registry().running();
  for (auto changed = clock::now(); left > own_actors && clock::now() - changed < 1s;) {
    std::this_thread::sleep_for(50us);
    if (const auto now = system.registry().running(); now != left) {
      left = now;
      changed = clock::now();
    }
  }
  return left - own_actors;
}

} // namespace dramaturg
