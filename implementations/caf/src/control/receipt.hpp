#pragma once

#include "control/reports.hpp"
#include "dramaturg/v2/benchmarks.pb.h"

#include <cstdint>

namespace dramaturg {

/// The receipt of one iteration, as it grows with what is reported to control.
class receipt {
public:
  explicit receipt(const v2::Benchmark& benchmark);

  /// Run begins: control is about to hand the lead its first message.
  void start();

  void add(const to_control::confirmed& turn);
  void add(const to_control::window& window);
  void add(const to_control::done& result);
  void add(const to_control::finished& result);

  /// Other reports say nothing that a receipt has.
  template <class Report>
  void add(const Report&) {}

  /// Turns confirmed, or windows ended: what a mark says (CTRL-6).
  [[nodiscard]] std::uint32_t steps() const noexcept { return steps_; }

  /// Whether the run has ended.
  [[nodiscard]] bool has_run() const noexcept { return is_done_ || steps_ == turns_; }

  /// Whether there will be a last report, upon `disconnect`.
  [[nodiscard]] bool lacks_totals() const noexcept { return lacks_totals_; }

  [[nodiscard]] v2::Receipt& message() noexcept { return message_; }

private:
  void stop(stopwatch::stamp stopped);
  google::protobuf::Message& own();

  static constexpr std::uint32_t without_turns = 0xFFFFFFFF;

  v2::Receipt message_;
  int benchmark_;       // its number, and its receipt's
  std::uint32_t turns_; // of a run
  std::uint32_t steps_ = 0;
  bool lacks_totals_;
  bool is_running_ = false;
  bool is_done_ = false;
  stopwatch::stamp started_;
  stopwatch::stamp ticked_;
};

} // namespace dramaturg
