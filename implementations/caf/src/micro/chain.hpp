#pragma once

#include "play.hpp"

#include <cstdint>
#include <memory>

namespace dramaturg {

namespace to_link {

struct grow : message<v1::MESSAGE_KIND_LINK_GROW> {
  std::uint32_t left;
  [[nodiscard]] auto args() const { return arguments(left); }
};

struct finish : message<v1::MESSAGE_KIND_LINK_FINISH> {
  std::uint32_t length;
  [[nodiscard]] auto args() const { return arguments(length); }
};

} // namespace to_link

/// One link (CHAIN-1, CHAIN-2). Link 0 is made in set-up, without a maker, and
/// reports to control.
class link : public lead<link_handle> {
public:
  link(pointer self, std::uint32_t index, link_handle maker, scene_ptr scene);
  ~link();

  behavior_type make_behavior();

private:
  void grow(const to_link::grow& m);
  void finish(const to_link::finish& m);

  void report(std::uint32_t length);

  std::uint32_t index_;
  link_handle maker_;
};

std::unique_ptr<play> make_play(const v1::ChainParameters& parameters);

} // namespace dramaturg
