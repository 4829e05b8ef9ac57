#include "pingpong_world.hpp"

#include <utility>

namespace dramaturg {

namespace {

using namespace std::chrono_literals;

// On the node that has only pong nobody says that the run is over; there pong
// gets this long to take what is still on its way.
constexpr auto last_ping_patience = 2s;

} // namespace

pingpong_world::pingpong_world(runtime& runtime, inbox& inbox, scene_ptr scene,
                               const v1::PrepareRequest& request)
    : world{runtime, inbox, std::move(scene)}, rounds_{request.benchmark().pingpong().rounds()},
      node_{request.node()}, distributed_{request.peers_size() > 1} {
  if (distributed_)
    peer_ = request.peers(1);
}

nanos pingpong_world::prepare() {
  const auto start = now();
  if (has_pong())
    pong_ = compat::spawn<pong>(runtime_.system(), scene_);
  if (distributed_)
    has_pong() ? publish() : connect();
  if (has_ping())
    ping_ = compat::spawn<ping>(runtime_.system(), pong_, scene_);
  return busy_ += now() - start;
}

v1::Receipt pingpong_world::run(const progress& report) {
  const auto start = now();
  inbox_.send(ping_, to_ping::start{control_name, rounds_});
  while (!pongs_ || (has_pong() && !pings_)) {
    const auto event = inbox_.next(report_interval);
    record(event);
    // Neither actor says how far it is, and asking would be one more message.
    if (std::holds_alternative<std::monostate>(event))
      report(0, rounds_);
  }
  busy_ += pongs_->done - start;
  return receipt(runtime_.alive_beyond(0));
}

v1::Receipt pingpong_world::finish() {
  // Ping-pong has no message that ends it early. A world that was not run is
  // ended from outside; where there is only pong, whether it was run shows in
  // what pong says.
  const auto was_alive = has_ping() ? 0 : runtime_.alive_beyond(0, last_ping_patience);
  clear();
  while (has_pong() && !pings_)
    record(inbox_.next(report_interval));
  const auto played = pings_ && pings_->rounds > 0;
  return receipt(played ? was_alive : runtime_.alive_beyond(0));
}

void pingpong_world::clear() {
  if (published_)
    runtime_.network().unpublish(pong_, static_cast<std::uint16_t>(peer_.port()));
  published_ = false;
  if (ping_)
    compat::kill(ping_);
  if (pong_ && has_pong())
    compat::kill(pong_);
}

void pingpong_world::publish() {
  const auto port = static_cast<std::uint16_t>(peer_.port());
  const auto bound = runtime_.network().publish(pong_, port, peer_.host().c_str(), true);
  if (!bound)
    throw broken("cannot listen on " + peer_.host() + ':' + std::to_string(port) + ": "
                 + caf::to_string(bound.error()));
  published_ = true;
}

void pingpong_world::connect() {
  const auto port = static_cast<std::uint16_t>(peer_.port());
  const auto peer = runtime_.network().remote_actor<pong_handle>(peer_.host(), port);
  if (!peer)
    throw broken("cannot reach " + peer_.host() + ':' + std::to_string(port) + ": "
                 + caf::to_string(peer.error()));
  pong_ = *peer;
  inbox_.monitor(pong_, make_name(v1::ACTOR_CLASS_PONG));
}

void pingpong_world::record(const inbox::event& event) {
  if (const auto* played = std::get_if<to_control::played>(&event))
    (played->from == make_name(v1::ACTOR_CLASS_PING) ? pongs_ : pings_) = *played;
}

v1::Receipt pingpong_world::receipt(std::size_t alive) const {
  v1::Receipt receipt;
  auto& pingpong = *receipt.mutable_pingpong();
  pingpong.set_pings(pings_ ? pings_->rounds : 0);
  pingpong.set_pongs(pongs_ ? pongs_->rounds : 0);
  receipt.set_iteration_nanos(static_cast<std::uint64_t>(busy_));
  receipt.set_run_nanos(pongs_ ? static_cast<std::uint64_t>(pongs_->done - pongs_->started) : 0);
  receipt.set_alive(alive);
  return receipt;
}

} // namespace dramaturg
