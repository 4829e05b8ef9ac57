#pragma once

#include "benchmark.hpp"
#include "message.hpp"

#include <cstdint>
#include <memory>

namespace dramaturg {

namespace to_link {

struct grow : message<v2::MESSAGE_KIND_LINK_GROW> {
  std::uint32_t left;
  std::uint32_t digest;
  [[nodiscard]] auto arguments() const { return std::tie(left, digest); }
};

struct finish : message<v2::MESSAGE_KIND_LINK_FINISH> {
  std::uint32_t length;
  std::uint32_t digest;
  [[nodiscard]] auto arguments() const { return std::tie(length, digest); }
};

} // namespace to_link

/// spec/chain.md.
std::unique_ptr<benchmark> make_benchmark(const v2::ChainParameters& parameters);

} // namespace dramaturg
