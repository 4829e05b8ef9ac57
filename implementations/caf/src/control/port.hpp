#pragma once

#include "control/runtime.hpp"
#include "control/world.hpp"
#include "dramaturg/v2/control.grpc.pb.h"

#include <memory>

namespace dramaturg {

/// The control port (spec/control.md). The harness calls in order and one at a time, but
/// for Trace, which may come while a world is driven; so nothing here needs a lock.
class port final : public v2::Control::Service {
public:
  explicit port(runtime& runtime) : runtime_{runtime} {}

  grpc::Status Describe(grpc::ServerContext*, const v2::DescribeRequest*,
                        v2::DescribeResponse*) override;
  grpc::Status Prepare(grpc::ServerContext*, const v2::PrepareRequest*,
                       v2::PrepareResponse*) override;
  grpc::Status Act(grpc::ServerContext*, const v2::ActRequest*, v2::ActResponse*) override;
  grpc::Status Turn(grpc::ServerContext*, const v2::TurnRequest*, v2::TurnResponse*) override;
  grpc::Status Run(grpc::ServerContext*, const v2::RunRequest*,
                   grpc::ServerWriter<v2::RunResponse>*) override;
  grpc::Status Trace(grpc::ServerContext*, const v2::TraceRequest*,
                     grpc::ServerWriter<v2::TraceResponse>*) override;
  grpc::Status Teardown(grpc::ServerContext*, const v2::TeardownRequest*,
                        v2::TeardownResponse*) override;

private:
  runtime& runtime_;
  std::unique_ptr<world> world_; // after Teardown only its log
};

} // namespace dramaturg
