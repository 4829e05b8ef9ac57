#include "micro_world.hpp"

#include <string>
#include <utility>

namespace dramaturg {

namespace {

using namespace std::chrono_literals;

// Actors end a moment after their last message, also on one node.
constexpr auto end_patience = 5s;

// On a node without the lead nobody says that the run is over; there the actors get
// this long to take what is still on its way.
constexpr auto last_message_patience = 2s;

std::string spell_address(const v1::Peer& peer) {
  return peer.host() + ':' + std::to_string(peer.port());
}

} // namespace

micro_world::micro_world(runtime& runtime, inbox& inbox, scene_ptr scene,
                         std::unique_ptr<play> play, const v1::PrepareRequest& request)
    : world{runtime, inbox, std::move(scene)}, play_{std::move(play)},
      nodes_(request.peers().begin(), request.peers().end()), stage_{runtime.system(), scene_} {
  if (request.peers_size() > 1)
    here_ = {request.node(), static_cast<std::uint32_t>(request.peers_size())};
}

nanos micro_world::prepare() {
  const auto start = now();
  play_->enter(stage_, here_);
  // The nodes above this one are there already. In a mesh all of them are called,
  // so that each pair of nodes has a connection of its own.
  if (is_distributed() && (here_.node == 0 || play_->is_mesh()))
    for (auto node = here_.node + 1; node < here_.nodes; ++node)
      connect(node);
  if (here_.node > 0)
    open_door();
  else if (is_distributed())
    introduce_everybody();
  return busy_ += now() - start;
}

v1::Receipt micro_world::run(const progress& report) {
  const auto start = now();
  play_->start(inbox_);
  for (;;) {
    const auto event = inbox_.next(report_interval);
    record(event);
    if (const auto* done = std::get_if<to_control::done>(&event)) {
      busy_ += done->ended - start;
      measured_ = done->ended - done->started;
      const auto left = alive(end_patience);
      record_what_is_left();
      return receipt(scene_->in_parts ? parts_ : done->report, left);
    }
    // Nobody says how far he is, and to ask would be one more message.
    if (std::holds_alternative<std::monostate>(event))
      report(0, 1);
  }
}

v1::Receipt micro_world::finish() {
  // No message ends a micro-benchmark early. A world that was not run is ended from
  // outside; where the lead is not, whether it was run shows in what actors said.
  const auto left = here_.node > 0 ? alive(last_message_patience) : 0;
  stage_.clear();
  const auto left_afterwards = alive(end_patience);
  record_what_is_left();
  const auto was_run = parts_.result > 0 || parts_.check > 0;
  return receipt(parts_, was_run ? left : left_afterwards);
}

void micro_world::clear() {
  if (published_)
    runtime_.network().unpublish(usher_, static_cast<std::uint16_t>(nodes_[here_.node].port()));
  published_ = false;
  if (usher_)
    compat::kill(std::exchange(usher_, nullptr));
  others_.clear();
  stage_.clear();
}

// -- several nodes -----------------------------------------------------------

void micro_world::open_door() {
  const auto& [host, port] = std::pair{nodes_[here_.node].host(), nodes_[here_.node].port()};
  usher_ = compat::spawn<usher>(runtime_.system(), here_.node, play_, scene_);
  const auto bound =
      runtime_.network().publish(usher_, static_cast<std::uint16_t>(port), host.c_str(), true);
  if (!bound)
    throw broken("cannot listen on " + spell_address(nodes_[here_.node]) + ": "
                 + caf::to_string(bound.error()));
  published_ = true;
}

void micro_world::connect(std::uint32_t node) {
  const auto& peer = nodes_[node];
  const auto other = runtime_.network().remote_actor<usher_handle>(
      peer.host(), static_cast<std::uint16_t>(peer.port()));
  if (!other)
    throw broken("cannot reach node " + std::to_string(node) + " at " + spell_address(peer) + ": "
                 + caf::to_string(other.error()));
  others_.push_back(*other);
  if (here_.node == 0)
    inbox_.monitor(*other, "node " + std::to_string(node) + " at " + spell_address(peer));
}

void micro_world::introduce_everybody() {
  for (const auto& other : others_)
    inbox_.send(other, to_usher::call{here_.node});
  auto all = play_->present();
  await_from_others<to_control::present>([&](const to_control::present& m) {
    for (std::size_t i = 0; i < all.others.size(); ++i)
      if (m.here.others[i])
        all.others[i] = m.here.others[i];
  });
  play_->meet(all);
  if (!play_->is_mesh())
    all.others.clear();
  for (const auto& other : others_)
    inbox_.send(other, to_usher::introduce{all});
  await_from_others<to_control::acquainted>([](const to_control::acquainted&) {});
}

template <class Event, class Action>
void micro_world::await_from_others(Action action) {
  for (auto awaited = others_.size(); awaited > 0; --awaited)
    action(inbox_.await<Event>());
}

// -- receipts ----------------------------------------------------------------

std::size_t micro_world::alive(std::chrono::milliseconds patience) {
  return runtime_.alive_beyond(usher_ ? 1 : 0, patience);
}

void micro_world::record(const inbox::event& event) {
  if (const auto* part = std::get_if<to_control::part>(&event))
    parts_ += part->share;
  else if (const auto* window = std::get_if<to_control::window>(&event))
    windows_.push_back(*window);
}

void micro_world::record_what_is_left() {
  for (auto event = inbox_.next(0ms); !std::holds_alternative<std::monostate>(event);
       event = inbox_.next(0ms))
    record(event);
}

v1::Receipt micro_world::receipt(const totals& report, std::size_t alive) const {
  v1::Receipt receipt;
  play_->write(receipt, report, windows_);
  receipt.set_iteration_nanos(static_cast<std::uint64_t>(busy_));
  receipt.set_run_nanos(static_cast<std::uint64_t>(measured_));
  receipt.set_alive(alive);
  return receipt;
}

} // namespace dramaturg
