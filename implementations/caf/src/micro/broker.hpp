#pragma once

#include "checksum.hpp"
#include "play.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace dramaturg {

/// Travels in messages, by ownership: a hop moves it on.
using bytes = std::vector<std::uint8_t>;

namespace to_employer {

struct start : message<v1::MESSAGE_KIND_EMPLOYER_START> {};

struct request : message<v1::MESSAGE_KIND_EMPLOYER_REQUEST> {
  std::uint32_t employee;
  std::uint64_t result;
  std::uint32_t checksum;
  [[nodiscard]] auto args() const { return arguments(employee, result, checksum); }
};

} // namespace to_employer

namespace to_router {

struct request : message<v1::MESSAGE_KIND_ROUTER_REQUEST> {
  std::uint64_t result;
  std::uint32_t checksum;
  [[nodiscard]] auto args() const { return arguments(result, checksum); }
};

struct task : message<v1::MESSAGE_KIND_ROUTER_TASK> {
  std::uint32_t employee;
  std::uint32_t number;
  bytes payload;
  [[nodiscard]] auto args() const { return arguments(employee, number, payload.size()); }
};

struct dismiss : message<v1::MESSAGE_KIND_ROUTER_DISMISS> {
  std::uint32_t employee;
  [[nodiscard]] auto args() const { return arguments(employee); }
};

} // namespace to_router

namespace to_employee {

struct go : message<v1::MESSAGE_KIND_EMPLOYEE_GO> {};

struct task : message<v1::MESSAGE_KIND_EMPLOYEE_TASK> {
  std::uint32_t number;
  bytes payload;
  [[nodiscard]] auto args() const { return arguments(number, payload.size()); }
};

struct dismiss : message<v1::MESSAGE_KIND_EMPLOYEE_DISMISS> {};

} // namespace to_employee

struct broker_parameters {
  std::uint32_t employees;
  std::uint32_t tasks;
  std::uint32_t size;
};

struct broker_cast {
  employer_handle employer;
  router_handle router;
  std::vector<employee_handle> employees;
};

/// Answers each request with a task, as long as there are any (BROKER-1).
class employer : public lead<employer_handle> {
public:
  employer(pointer self, cast_ptr<broker_cast> cast, const broker_parameters& parameters,
           scene_ptr scene);

  behavior_type make_behavior();

private:
  void start(const to_employer::start& m);
  void request(const to_employer::request& m);

  cast_ptr<broker_cast> cast_;
  broker_parameters parameters_;
  std::uint32_t given_ = 0;
  std::uint64_t results_ = 0;
  std::uint64_t checksum_sum_ = 0;
  std::uint32_t employed_;
};

/// Passes everything on (BROKER-2).
class router : public actor_state<router_handle> {
public:
  router(pointer self, cast_ptr<broker_cast> cast, std::uint32_t employees, scene_ptr scene);

  behavior_type make_behavior();

private:
  void request(const to_router::request& m);
  void task(to_router::task& m);
  void dismiss(const to_router::dismiss& m);

  cast_ptr<broker_cast> cast_;
  std::uint32_t employed_;
};

/// Reads every byte of each payload, and asks for the next (BROKER-3).
class employee : public actor_state<employee_handle> {
public:
  employee(pointer self, std::uint32_t index, cast_ptr<broker_cast> cast, scene_ptr scene);

  behavior_type make_behavior();

private:
  void go(const to_employee::go& m);
  void task(const to_employee::task& m);
  void dismiss(const to_employee::dismiss& m);

  cast_ptr<broker_cast> cast_;
};

std::unique_ptr<play> make_play(const v1::BrokerParameters& parameters);

} // namespace dramaturg
