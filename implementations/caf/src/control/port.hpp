#pragma once

#include "control/describe.hpp"
#include "control/world.hpp"
#include "dramaturg/v2/control.grpc.pb.h"

#include <memory>

namespace dramaturg {

/// The control port (spec/control.md). The harness calls in order and one at a time, but
/// for Trace, which may come while a world is driven; so nothing here needs a lock.
class port final : public v2::Control::Service {
public:
  explicit port(runtime& runtime) : runtime_{runtime} {}

private:
  using context = grpc::ServerContext;
  using status = grpc::Status;

  status Describe(context*, const v2::DescribeRequest* request,
                  v2::DescribeResponse* response) override {
    return answer([&] { *response = describe(*request, runtime_); });
  }

  status Prepare(context*, const v2::PrepareRequest* request,
                 v2::PrepareResponse* response) override {
    return answer([&] {
      const auto asked = stopwatch::clock::now();
      world_.reset();
      world_ = std::make_unique<world>(runtime_, *request);
      response->set_setup_nanos(stopwatch::nanos(asked, stopwatch::clock::now()));
    });
  }

  status Act(context*, const v2::ActRequest* request, v2::ActResponse*) override {
    return answer([&] { world_->drive(*request); });
  }

  status Turn(context*, const v2::TurnRequest* request, v2::TurnResponse*) override {
    return answer([&] { world_->drive(*request); });
  }

  status Run(context*, const v2::RunRequest* request,
             grpc::ServerWriter<v2::RunResponse>* stream) override {
    const auto mark = [&](std::uint32_t done) {
      v2::RunResponse response;
      response.mutable_mark()->set_done(done);
      stream->Write(response);
    };
    world_->log().limit(request->log_limit());
    auto ended = answer([&] { world_->run(request->salt(), mark); });
    world_->log().limit(0);
    return ended;
  }

  status Trace(context*, const v2::TraceRequest*,
               grpc::ServerWriter<v2::TraceResponse>* stream) override {
    return answer([&] { world_->log().drain([&](const auto& item) { stream->Write(item); }); });
  }

  status Teardown(context*, const v2::TeardownRequest*, v2::TeardownResponse* response) override {
    return answer([&] { *response->mutable_receipt() = world_->teardown(); });
  }

  /// Does what a call asks for; what throws is an actor that failed (CTRL-10).
  template <class Action>
  static status answer(Action action) {
    try {
      action();
      return status::OK;
    } catch (const std::exception& error) {
      return {grpc::StatusCode::INTERNAL, error.what()};
    }
  }

  runtime& runtime_;
  std::unique_ptr<world> world_; // after Teardown only its log is left
};

} // namespace dramaturg
