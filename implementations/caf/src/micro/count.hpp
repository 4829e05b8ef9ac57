#pragma once

#include "play.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace dramaturg {

namespace to_tally {

struct start : message<v1::MESSAGE_KIND_TALLY_START> {};

struct counted : message<v1::MESSAGE_KIND_TALLY_COUNTED> {
  std::uint64_t adds;
  std::uint64_t sum;
  [[nodiscard]] auto args() const { return arguments(adds, sum); }
};

} // namespace to_tally

namespace to_adder {

struct go : message<v1::MESSAGE_KIND_ADDER_GO> {};

struct total : message<v1::MESSAGE_KIND_ADDER_TOTAL> {
  std::uint64_t adds;
  std::uint64_t sum;
  [[nodiscard]] auto args() const { return arguments(adds, sum); }
};

} // namespace to_adder

namespace to_counter {

struct add : message<v1::MESSAGE_KIND_COUNTER_ADD> {
  std::uint32_t value;
  [[nodiscard]] auto args() const { return arguments(value); }
};

struct get_and_reset : message<v1::MESSAGE_KIND_COUNTER_GET_AND_RESET> {};

} // namespace to_counter

struct count_cast {
  tally_handle tally;
  std::vector<adder_handle> adders;
  counter_handle counter;
};

/// Starts the adders and sums their totals (COUNT-1).
class tally : public lead<tally_handle> {
public:
  tally(pointer self, cast_ptr<count_cast> cast, std::uint32_t adders, scene_ptr scene);

  behavior_type make_behavior();

private:
  void start(const to_tally::start& m);
  void counted(const to_tally::counted& m);

  cast_ptr<count_cast> cast_;
  std::uint32_t adding_;
  std::uint64_t adds_ = 0;
  std::uint64_t sum_ = 0;
};

/// Adds, then asks (COUNT-2).
class adder : public actor_state<adder_handle> {
public:
  adder(pointer self, std::uint32_t index, cast_ptr<count_cast> cast, std::uint32_t adds,
        scene_ptr scene);

  behavior_type make_behavior();

private:
  void go(const to_adder::go& m);
  void total(const to_adder::total& m);

  cast_ptr<count_cast> cast_;
  std::uint32_t adds_;
};

/// Holds the sum; ends when every adder has asked (COUNT-3).
class counter : public actor_state<counter_handle> {
public:
  counter(pointer self, std::uint32_t adders, scene_ptr scene);

  behavior_type make_behavior();

private:
  void add(const to_counter::add& m);
  void get_and_reset(const to_counter::get_and_reset& m);

  std::uint32_t asking_;
  std::uint64_t adds_ = 0;
  std::uint64_t sum_ = 0;
};

std::unique_ptr<play> make_play(const v1::CountParameters& parameters);

} // namespace dramaturg
