#include "validation.hpp"

#include "benchmarks.hpp"
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

constexpr std::uint32_t max_actors = 1U << 20;
constexpr std::uint32_t max_length = 1U << 24;

/// Of a benchmark that has a windowed form (spec/windows.md).
template <class Parameters>
void validate_windows(const Parameters& p) {
  const auto windowed = p.windows() > 0;
  check("windows", p.windows(), 0, 86'400);
  check("window", p.window(), windowed ? 1 : 0, windowed ? 60'000 : 0);
}

/// Of one that counts rounds, unless it counts windows.
template <class Parameters>
void validate_rounds(const Parameters& p) {
  const auto windowed = p.windows() > 0;
  validate_windows(p);
  check("rounds", p.rounds(), windowed ? 0 : 1, windowed ? 0 : any);
}

void validate(const v1::PingPongParameters& p) {
  validate_rounds(p);
}

void validate(const v1::BigParameters& p) {
  check("peers", p.peers(), 2, max_actors);
  validate_rounds(p);
}

void validate(const v1::BangParameters& p) {
  check("senders", p.senders(), 1, max_actors);
  check("messages", p.messages(), 1, any);
  validate_windows(p);
}

void validate(const v1::WebParameters& p) {
  check("browsers", p.browsers(), 1, max_actors);
  check("workers", p.workers(), 1, max_actors);
  check("requests", p.requests(), 1, any);
  check("fib_n", p.fib_n(), 0, max_fib_n);
}

void validate(const v1::CountParameters& p) {
  check("adders", p.adders(), 1, max_actors);
  check("adds", p.adds(), 1, any);
}

void validate(const v1::ChainParameters& p) {
  check("length", p.length(), 1, max_length);
}

void validate(const v1::FanoutParameters& p) {
  check("runners", p.runners(), 1, max_actors);
  check("tasks", p.tasks(), 1, any);
}

void validate(const v1::SleepersParameters& p) {
  check("sleepers", p.sleepers(), 1, max_actors);
  check("naps", p.naps(), 1, any);
  check("delay", p.delay(), 0, 60'000);
}

void validate(const v1::MergesortParameters& p) {
  check("length", p.length(), 1, max_length);
  check("leaf", p.leaf(), 1, max_length);
  check("seed", p.seed(), 0, max_seed);
}

void validate(const v1::BrokerParameters& p) {
  check("employees", p.employees(), 1, 128);
  check("tasks", p.tasks(), 1, any);
  check("size", p.size(), 4, 65'536);
}

// Over how many nodes it can run: none may be empty (spec/distributed.md).
template <class Parameters>
std::uint64_t max_nodes(const Parameters&) {
  return 1;
}

std::uint64_t max_nodes(const v1::PingPongParameters&) {
  return 2;
}

std::uint64_t max_nodes(const v1::BigParameters& p) {
  return p.peers();
}

std::uint64_t max_nodes(const v1::BangParameters& p) {
  return std::uint64_t{p.senders()} + 1;
}

std::uint64_t max_nodes(const v1::WebParameters& p) {
  return std::uint64_t{p.browsers()} + 1;
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
  const auto is_known = visit(request.benchmark(), [&](const auto& parameters) {
    validate(parameters);
    check("number of peers", static_cast<std::uint64_t>(request.peers_size()), 0,
          max_nodes(parameters));
  });
  if (!is_known)
    throw invalid("benchmark is unset or unknown: see Describe");
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
