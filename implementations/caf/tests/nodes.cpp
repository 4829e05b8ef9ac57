// What an actor that fails on another node than 0 ends: the call under way at node 0 (CTRL-10). And
// an actor that is made there is there before its maker takes another message (DIST-7).
#include "benchmarks.hpp"
#include "control/runtime.hpp"
#include "nodes/node.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

namespace {

using namespace dramaturg;

/// Takes one message, and that is too much.
class breathless : public actor_state<pong_handle> {
public:
  explicit breathless(pointer self, environment_ptr environment, std::uint32_t index = 0)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_PONG, index)} {}

  behavior_type make_behavior() { return {on<&breathless::ping>{this}}; }

private:
  void ping(const to_pong::ping&) { throw std::runtime_error{"out of breath"}; }
};

constexpr std::uint32_t unlucky = 13;

/// Makes one on node 1 for each message, and passes the message on.
class maker : public actor_state<pong_handle> {
public:
  maker(pointer self, environment_ptr environment)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_PONG, 99)} {}

  behavior_type make_behavior() { return {on<&maker::ping>{this}}; }

private:
  void ping(const to_pong::ping& m) {
    if (++taken_ > born_ + 1)
      throw std::runtime_error{"a message between a birth and its answer"};
    const auto pass_on = [this, m](const pong_handle& born) {
      ++born_;
      send(born, m);
    };
    spawn_at<pong_handle>(1, make_name(v2::ACTOR_CLASS_PONG, m.left), 0, pass_on);
    if (m.left == unlucky)
      terminate(); // it is known on another node, so nothing else ends it
  }

  std::uint32_t taken_ = 0;
  std::uint32_t born_ = 0;
};

/// A benchmark without actors, until others make some: one for each number but that.
class nothing final : public benchmark {
public:
  void set_up(const spawner&, inbox&) override {}
  void start(inbox&, std::uint32_t) override {}

  caf::strong_actor_ptr bear(const spawner& spawner, const to_registrar::birth& m) override {
    if (index_of(m.name) == unlucky)
      throw std::runtime_error{spell(m.name) + ": no room"};
    return caf::actor_cast<caf::strong_actor_ptr>(spawner.spawn<breathless>(index_of(m.name)));
  }
};

/// A node as Prepare makes it.
struct prepared {
  explicit prepared(const v2::PrepareRequest& request)
      : world{std::make_shared<environment>(control.handle(), request)}, here{own.system, control,
                                                                              without_actors,
                                                                              request} {
    here.connect(world);
  }

  ~prepared() { here.leave(); }

  /// What a call that waits for the end of a run is answered.
  std::string answer() {
    try {
      control.await<to_control::done>();
      return "done";
    } catch (const std::runtime_error& failure) {
      return failure.what();
    }
  }

  runtime own{"stealing", 1};
  inbox control{own.system};
  environment_ptr world;
  nothing without_actors;
  node here;
};

int free_port() {
  const auto fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  bind(fd, reinterpret_cast<sockaddr*>(&address), size);
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  close(fd);
  return ntohs(address.sin_port);
}

int wrong = 0;

void hold(const char* what, bool is_so) {
  if (is_so)
    return;
  ++wrong;
  std::cerr << "wrong: " << what << '\n';
}

} // namespace

int main() {
  alarm(60); // for an answer that never comes
  compat::register_messages();
  v2::PrepareRequest request;
  request.set_secret("open sesame");
  for (int node = 0; node < 2; ++node) {
    auto& peer = *request.add_peers();
    peer.set_host("127.0.0.1");
    peer.set_port(static_cast<std::uint32_t>(free_port()));
  }
  request.set_node(1);
  prepared other{request};
  request.set_node(0);
  prepared first{request};

  const auto pong = compat::spawn<breathless>(other.own.system, other.world);
  other.control.send(pong, to_pong::ping{make_name(v2::ACTOR_CLASS_PING), 0, 0});
  const std::string named = "pong/0: out of breath";
  hold("node 0 names who has failed on another node", first.answer() == named);
  hold("that node names it, too", other.answer() == named);

  const auto makes = compat::spawn<maker>(first.own.system, first.world);
  for (const std::uint32_t number : {7U, 8U, unlucky})
    first.control.send(makes, to_pong::ping{make_name(v2::ACTOR_CLASS_PING), number, 0});
  for (const std::string born :
       {"pong/7: out of breath", "pong/8: out of breath", "pong/13: no room"})
    hold("who was made on another node takes what follows", first.answer() == born);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
