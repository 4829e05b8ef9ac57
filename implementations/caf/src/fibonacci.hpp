#pragma once

#include <cstdint>

namespace dramaturg {

/// The naive, doubly recursive Fibonacci number: the work of `compute` (IMPL-6).
std::uint64_t fibonacci(std::uint32_t n);

} // namespace dramaturg
