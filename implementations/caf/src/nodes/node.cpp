#include "nodes/node.hpp"

#include "nodes/registrar.hpp"

namespace dramaturg {

node::node(caf::actor_system& system, inbox& inbox, benchmark& benchmark,
           const v2::PrepareRequest& request)
    : system_{system}, inbox_{inbox}, benchmark_{benchmark}, request_{request}, here_{place::asked(
                                                                                    request)} {}

void node::leave() {
  gate_.reset();
  if (registrar_)
    inbox_.send(registrar_, to_registrar::leave{});
  others_.clear();
}

void node::connect(const environment_ptr& environment) {
  if (here_.nodes == 1)
    return;
  // The nodes above this one are there already. In a mesh all of them are called, so that
  // each pair of nodes has a connection of its own.
  if (here_.node == 0 || benchmark_.is_mesh())
    for (auto other = here_.node + 1; other < here_.nodes; ++other)
      call(other);
  registrar_ = compat::spawn<registrar>(system_, environment, benchmark_);
  if (here_.node == 0)
    return introduce_everybody(environment);
  gate_.emplace(system_, request_.peers(static_cast<int>(here_.node)), request_.secret(),
                caf::actor_cast<caf::strong_actor_ptr>(registrar_));
}

void node::call(std::uint32_t other) {
  const auto& address = request_.peers(static_cast<int>(other));
  others_.push_back(
      caf::actor_cast<registrar_handle>(pass_gate(system_, address, request_.secret())));
  if (here_.node == 0)
    report_loss(others_.back(), "node " + std::to_string(other) + " at " + spell(address));
}

// A registrar that ends of itself has been told to: its world is over.
void node::report_loss(const registrar_handle& registrar, const std::string& node) {
  const auto report = [control = inbox_.handle(), node](const caf::error& reason) {
    if (reason)
      compat::anon_send(control, to_control::failed{node + " is lost: " + caf::to_string(reason)});
  };
  caf::actor_cast<caf::abstract_actor*>(registrar)->attach_functor(report);
}

void node::introduce_everybody(const environment_ptr& environment) {
  to_registrar::introduce all{{}, {caf::actor_cast<caf::strong_actor_ptr>(registrar_)}};
  for (const auto& other : others_)
    all.registrars.push_back(caf::actor_cast<caf::strong_actor_ptr>(other));
  for (const auto& other : others_)
    inbox_.send(other, to_registrar::call{});
  all.all = benchmark_.who_is_here();
  for (std::size_t i = 0; i < others_.size(); ++i)
    all.all.add(inbox_.await<to_control::residents>().here);
  registrar::introduce(environment, benchmark_, all);
  if (!benchmark_.is_mesh()) {
    all.all.others.clear();
    all.registrars.clear();
  }
  for (const auto& other : others_)
    inbox_.send(other, all);
  for (std::size_t i = 0; i < others_.size(); ++i)
    inbox_.await<to_control::introduced>();
}

} // namespace dramaturg
