#pragma once

#include "dramaturg/v1/control.pb.h"

#include <cstdint>
#include <string>

namespace dramaturg {

/// The end of a range that the type ends.
inline constexpr std::uint32_t any = 0xFFFFFFFF;
inline constexpr std::uint32_t max_fib_n = 47;
inline constexpr std::uint32_t max_seed = 65'535;

// Checks of what the harness asks (CTRL-3). Each throws a refusal that names
// the field, its value and its range.

void check(const std::string& field, std::uint64_t value, std::uint64_t low, std::uint64_t high);

/// Checks the parameters of the benchmark and the place among the peers.
void validate(const v1::PrepareRequest& request);

/// Checks an act in a world of so many clients.
void validate(const v1::ActRequest& request, std::uint32_t clients);

/// Checks what the probe asks for, which is bounded by what a test may need.
void validate(const v1::Probe& probe);

} // namespace dramaturg
