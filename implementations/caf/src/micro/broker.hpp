#pragma once

#include "benchmark.hpp"
#include "message.hpp"
#include "payload.hpp"

#include <cstdint>
#include <memory>

namespace dramaturg {

namespace to_employer {

struct start : message<v2::MESSAGE_KIND_EMPLOYER_START> {
  std::uint32_t salt;
  [[nodiscard]] auto arguments() const { return std::tie(salt); }
};

struct request : message<v2::MESSAGE_KIND_EMPLOYER_REQUEST> {
  std::uint32_t employee;
  std::uint64_t result;
  std::uint32_t checksum;
  [[nodiscard]] auto arguments() const { return std::tie(employee, result, checksum); }
};

struct disconnect : message<v2::MESSAGE_KIND_EMPLOYER_DISCONNECT> {};

} // namespace to_employer

// A task is logged with its payload's checksum, which is not sent: who logs makes it (BROKER-5).

namespace to_router {

struct request : message<v2::MESSAGE_KIND_ROUTER_REQUEST> {
  std::uint64_t result;
  std::uint32_t checksum;
  [[nodiscard]] auto arguments() const { return std::tie(result, checksum); }
};

struct task : message<v2::MESSAGE_KIND_ROUTER_TASK> {
  std::uint32_t employee;
  std::uint32_t number;
  bytes payload;
  [[nodiscard]] auto arguments() const {
    return std::tuple{employee, number, payload.size(), checksum(0, payload)};
  }
  [[nodiscard]] auto sent() const { return std::tie(employee, number, payload); }
};

struct dismiss : message<v2::MESSAGE_KIND_ROUTER_DISMISS> {
  std::uint32_t employee;
  [[nodiscard]] auto arguments() const { return std::tie(employee); }
};

} // namespace to_router

namespace to_employee {

struct go : message<v2::MESSAGE_KIND_EMPLOYEE_GO> {};

struct task : message<v2::MESSAGE_KIND_EMPLOYEE_TASK> {
  std::uint32_t number;
  bytes payload;
  [[nodiscard]] auto arguments() const {
    return std::tuple{number, payload.size(), checksum(0, payload)};
  }
  [[nodiscard]] auto sent() const { return std::tie(number, payload); }
};

struct dismiss : message<v2::MESSAGE_KIND_EMPLOYEE_DISMISS> {};

} // namespace to_employee

/// spec/broker.md.
std::unique_ptr<benchmark> make_benchmark(const v2::BrokerParameters& parameters);

} // namespace dramaturg
