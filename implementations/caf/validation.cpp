#include "validation.hpp"

#include "refusal.hpp"
#include "trace.hpp"

#include <cstdint>
#include <string>

namespace dramaturg {

namespace {

void validate(const v1::ChatAppParameters& p) {
  check("clients", p.clients(), 1, any);
  check("directories", p.directories(), 1, p.clients());
  check("turns", p.turns(), 1, any);
  check("compute", p.compute(), 0, 100);
  check("post", p.post(), 0, 100);
  check("leave", p.leave(), 0, 100);
  check("invite", p.invite(), 0, 100);
  check("befriend", p.befriend(), 0, 100);
  check("selection", static_cast<std::uint32_t>(p.selection()), v1::SELECTION_CUMULATIVE,
        v1::SELECTION_CASCADE);
  check("fib_n", p.fib_n(), 0, max_fib_n);
  check("seed", p.seed(), 0, max_seed);
}

void validate(const v1::PingPongParameters& p) {
  check("rounds", p.rounds(), 1, any);
}

} // namespace

void check(const std::string& field, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
  if (value < low || value > high)
    throw invalid(field + " = " + std::to_string(value) + " is out of range " + std::to_string(low)
                  + ".." + std::to_string(high));
}

void validate(const v1::PrepareRequest& request) {
  if (request.trace() && !can_trace)
    throw invalid("trace = true is out of range false: this build cannot trace");
  int max_peers = 1;
  switch (request.benchmark().parameters_case()) {
  case v1::Benchmark::kChatapp:
    validate(request.benchmark().chatapp());
    break;
  case v1::Benchmark::kPingpong:
    validate(request.benchmark().pingpong());
    max_peers = 2;
    break;
  default:
    throw invalid("benchmark is unset or unknown: its range is chatapp, pingpong");
  }
  check("number of peers", static_cast<std::uint64_t>(request.peers_size()), 0,
        static_cast<std::uint64_t>(max_peers));
  check("node", request.node(), 0,
        request.peers().empty() ? 0 : static_cast<std::uint64_t>(request.peers_size()) - 1);
  for (const auto& peer : request.peers())
    check("port", peer.port(), 1, 0xFFFF);
}

void validate(const v1::ActRequest& request, std::uint32_t clients) {
  check("client", request.client(), 0, clients - 1);
  check("choice", static_cast<std::uint32_t>(request.choice()), v1::CHOICE_DRAW, v1::CHOICE_JOIN);
}

void validate(const v1::Probe& probe) {
  switch (probe.probe_case()) {
  case v1::Probe::kLcg:
    return check("seed", probe.lcg().seed(), 0, max_seed);
  case v1::Probe::kShuffle:
    return check("seed", probe.shuffle().seed(), 0, max_seed);
  case v1::Probe::kFibonacci:
    return check("n", probe.fibonacci().n(), 0, max_fib_n);
  default:
    throw invalid("probe is unset or unknown: its range is lcg, shuffle, fibonacci");
  }
}

} // namespace dramaturg
