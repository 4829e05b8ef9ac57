#pragma once

#include <grpcpp/support/status.h>

#include <stdexcept>
#include <string>

namespace dramaturg {

/// Why a call is not answered as asked (spec/control.md).
class refusal : public std::runtime_error {
public:
  refusal(grpc::StatusCode code, const std::string& reason)
      : std::runtime_error{reason}, code_{code} {}

  [[nodiscard]] grpc::Status status() const { return {code_, what()}; }

private:
  grpc::StatusCode code_;
};

/// CTRL-2: the call is out of order.
inline refusal out_of_order(const std::string& reason) {
  return {grpc::StatusCode::FAILED_PRECONDITION, reason};
}

/// CTRL-3: an argument is out of range.
inline refusal invalid(const std::string& reason) {
  return {grpc::StatusCode::INVALID_ARGUMENT, reason};
}

/// CTRL-9: `Teardown` with `abandon` has ended the call.
inline refusal cancelled() {
  return {grpc::StatusCode::CANCELLED, "the world was abandoned"};
}

/// CTRL-10: an actor, or what it runs on, has failed.
inline refusal broken(const std::string& reason) {
  return {grpc::StatusCode::INTERNAL, reason};
}

} // namespace dramaturg
