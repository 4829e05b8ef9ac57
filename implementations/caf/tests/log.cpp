// The log limit (CTRL-18).
#include "control/log.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace {

using namespace dramaturg;
using namespace std::chrono_literals;

int wrong = 0;

void hold(const char* what, bool is_so) {
  if (is_so)
    return;
  ++wrong;
  std::cerr << "wrong: " << what << '\n';
}

v2::PrepareRequest everybody_is_watched() {
  v2::PrepareRequest request;
  auto& watch = *request.add_watches();
  watch.set_modulus(1);
  watch.set_last(~0U);
  watch.set_events(~0U);
  return request;
}

/// What a Trace has brought.
struct brought {
  std::uint64_t rows = 0;
  std::uint64_t counts = 0;
  v2::TraceFooter footer;
};

brought trace(receive_log& log) {
  brought brought;
  log.drain([&](const v2::TraceResponse& response) {
    brought.rows += static_cast<std::uint64_t>(response.batch().actor_size());
    brought.counts += static_cast<std::uint64_t>(response.counts().actor_size());
    brought.footer = response.footer();
  });
  return brought;
}

/// Actors, each on a thread of its own, that take messages one after the other.
struct actors {
  explicit actors(receive_log& log) {
    for (auto& thread : threads)
      thread = std::thread{[this, actor = log.enroll(make_name(v2::ACTOR_CLASS_CLIENT, born++))] {
        const std::uint64_t argument = 7;
        for (std::uint64_t i = 0; i < each; ++i) {
          actor->log(control_name, v2::MESSAGE_KIND_CLIENT_ACT, &argument, 1);
          ++taken;
        }
      }};
  }

  /// Waits until so many messages were taken, and a little longer for one too many.
  void await(std::uint64_t messages) const {
    while (taken < messages)
      std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(50ms);
  }

  void join() {
    for (auto& thread : threads)
      thread.join();
  }

  static constexpr std::uint64_t each = 1'000;
  static constexpr std::uint64_t all = 4 * each;

  std::uint32_t born = 0;
  std::atomic<std::uint64_t> taken = 0;
  std::array<std::thread, 4> threads;
};

} // namespace

int main() {
  alarm(60); // for an actor that waits for ever
  receive_log log{everybody_is_watched()};
  const std::uint64_t argument = 7;
  log.enroll(make_name(v2::ACTOR_CLASS_POKER))
      ->log(control_name, v2::MESSAGE_KIND_CLIENT_ACT, &argument, 1);

  log.limit(10);
  actors actors{log};
  actors.await(9);
  hold("what was logged before has its room", actors.taken == 9);
  const auto full = trace(log);
  hold("a full log has as many events as the limit", full.rows == 10 && full.footer.events() == 10);
  hold("a Trace has no counts while there is a limit",
       full.counts == 0 && full.footer.watched() == 0);
  actors.await(19);
  hold("what was delivered makes room for as many", actors.taken == 19);

  log.drain([&](const v2::TraceResponse&) {
    std::this_thread::sleep_for(50ms);
    hold("nothing is delivered before the footer", actors.taken == 19);
  });
  actors.await(29);
  hold("the footer delivers", actors.taken == 29);

  log.limit(0);
  actors.join();
  hold("without a limit nobody waits", actors.taken == actors::all);
  const auto rest = trace(log);
  hold("no event is lost", 20 + rest.rows == 1 + actors::all);
  hold("afterwards a Trace has counts", rest.counts == 5 && rest.footer.watched() == 5);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
