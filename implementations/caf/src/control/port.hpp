#pragma once

#include "dramaturg/v1/control.grpc.pb.h"
#include "session.hpp"

#include <functional>

namespace dramaturg {

/// The control port (spec/control.md): each call goes to the session, and each
/// refusal becomes a status.
class control final : public v1::Control::Service {
public:
  control(runtime& runtime, std::function<void()> on_shutdown)
      : runtime_{runtime}, session_{runtime}, on_shutdown_{std::move(on_shutdown)} {}

  /// Drops the world, so that no call is waiting for it any longer.
  void abandon() { session_.abandon(); }

  grpc::Status Describe(grpc::ServerContext*, const v1::DescribeRequest*,
                        v1::DescribeResponse*) override;
  grpc::Status Prepare(grpc::ServerContext*, const v1::PrepareRequest*,
                       v1::PrepareResponse*) override;
  grpc::Status Act(grpc::ServerContext*, const v1::ActRequest*, v1::ActResponse*) override;
  grpc::Status Turn(grpc::ServerContext*, const v1::TurnRequest*, v1::TurnResponse*) override;
  grpc::Status Run(grpc::ServerContext*, const v1::RunRequest*,
                   grpc::ServerWriter<v1::RunResponse>*) override;
  grpc::Status Trace(grpc::ServerContext*, const v1::TraceRequest*,
                     grpc::ServerWriter<v1::TraceResponse>*) override;
  grpc::Status Teardown(grpc::ServerContext*, const v1::TeardownRequest*,
                        v1::TeardownResponse*) override;
  grpc::Status Shutdown(grpc::ServerContext*, const v1::ShutdownRequest*,
                        v1::ShutdownResponse*) override;

private:
  runtime& runtime_;
  session session_;
  std::function<void()> on_shutdown_;
};

} // namespace dramaturg
