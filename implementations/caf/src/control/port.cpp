#include "control/port.hpp"

#include "control/describe.hpp"

namespace dramaturg {

namespace {

/// Does what a call asks for; what throws is an actor that failed (CTRL-10).
template <class Action>
grpc::Status answer(Action action) {
  try {
    action();
    return grpc::Status::OK;
  } catch (const std::exception& error) {
    return {grpc::StatusCode::INTERNAL, error.what()};
  }
}

} // namespace

grpc::Status port::Describe(grpc::ServerContext*, const v2::DescribeRequest* request,
                            v2::DescribeResponse* response) {
  return answer([&] { *response = describe(*request, runtime_); });
}

grpc::Status port::Prepare(grpc::ServerContext*, const v2::PrepareRequest* request,
                           v2::PrepareResponse* response) {
  return answer([&] {
    world_.reset();
    const auto asked = stopwatch::clock::now();
    world_ = std::make_unique<world>(runtime_, *request);
    response->set_setup_nanos(stopwatch::nanos(asked, stopwatch::clock::now()));
  });
}

grpc::Status port::Act(grpc::ServerContext*, const v2::ActRequest* request, v2::ActResponse*) {
  return answer([&] { world_->act(*request); });
}

grpc::Status port::Turn(grpc::ServerContext*, const v2::TurnRequest*, v2::TurnResponse*) {
  return answer([&] { world_->turn(); });
}

grpc::Status port::Run(grpc::ServerContext*, const v2::RunRequest* request,
                       grpc::ServerWriter<v2::RunResponse>* stream) {
  const auto mark = [&](std::uint32_t done) {
    v2::RunResponse response;
    response.mutable_mark()->set_done(done);
    stream->Write(response);
  };
  return answer([&] { world_->run(request->salt(), mark); });
}

grpc::Status port::Trace(grpc::ServerContext*, const v2::TraceRequest*,
                         grpc::ServerWriter<v2::TraceResponse>* stream) {
  return answer([&] { world_->log().drain([&](const auto& item) { stream->Write(item); }); });
}

grpc::Status port::Teardown(grpc::ServerContext*, const v2::TeardownRequest*,
                            v2::TeardownResponse* response) {
  return answer([&] { *response->mutable_receipt() = world_->teardown(); });
}

} // namespace dramaturg
