#pragma once

#include "dramaturg/v2/benchmarks.pb.h"
#include "nodes/place.hpp"

#include <cstdint>

namespace dramaturg {

/// Parameters of one iteration; probabilities in percent (CHAT-1).
struct chatapp_parameters {
  explicit chatapp_parameters(const v2::ChatAppParameters& p)
      : clients{p.clients()}, directories{p.directories()}, turns{p.turns()}, compute{p.compute()},
        post{p.post()}, leave{p.leave()}, invite{p.invite()}, befriend{p.befriend()},
        selection{p.selection()}, fib_n{p.fib_n()}, history{p.history()}, seed{p.seed()} {}

  // Where they live (spec/distributed.md); a client's chats are on its node.

  [[nodiscard]] static std::uint32_t home_of_directory(std::uint32_t index, place here) {
    return index % here.nodes;
  }

  [[nodiscard]] std::uint32_t home_of_client(std::uint32_t number, place here) const {
    return number / directories % here.nodes;
  }

  std::uint32_t clients;
  std::uint32_t directories;
  std::uint32_t turns;
  std::uint32_t compute;
  std::uint32_t post;
  std::uint32_t leave;
  std::uint32_t invite;
  std::uint32_t befriend;
  v2::Selection selection;
  std::uint32_t fib_n;
  bool history;
  std::uint32_t seed;
};

} // namespace dramaturg
