#include "control.hpp"

#include "describe.hpp"
#include "refusal.hpp"

namespace dramaturg {

namespace {

template <class Action>
grpc::Status answer(Action action) {
  try {
    action();
    return grpc::Status::OK;
  } catch (const refusal& refusal) {
    return refusal.status();
  } catch (const std::exception& error) {
    return {grpc::StatusCode::INTERNAL, error.what()};
  }
}

} // namespace

grpc::Status control::Describe(grpc::ServerContext*, const v1::DescribeRequest* request,
                               v1::DescribeResponse* response) {
  return answer([&] { *response = describe(*request, runtime_); });
}

grpc::Status control::Prepare(grpc::ServerContext*, const v1::PrepareRequest* request,
                              v1::PrepareResponse* response) {
  return answer([&] { *response = session_.prepare(*request); });
}

grpc::Status control::Act(grpc::ServerContext*, const v1::ActRequest* request,
                          v1::ActResponse* response) {
  return answer([&] { *response = session_.act(*request); });
}

grpc::Status control::Turn(grpc::ServerContext*, const v1::TurnRequest*,
                           v1::TurnResponse* response) {
  return answer([&] { *response = session_.turn(); });
}

grpc::Status control::Run(grpc::ServerContext*, const v1::RunRequest* request,
                          grpc::ServerWriter<v1::RunResponse>* stream) {
  return answer([&] { session_.run(*request, [&](const auto& item) { stream->Write(item); }); });
}

grpc::Status control::Trace(grpc::ServerContext*, const v1::TraceRequest*,
                            grpc::ServerWriter<v1::TraceResponse>* stream) {
  return answer([&] { session_.trace([&](const auto& item) { stream->Write(item); }); });
}

grpc::Status control::Teardown(grpc::ServerContext*, const v1::TeardownRequest* request,
                               v1::TeardownResponse* response) {
  return answer([&] { *response = session_.teardown(*request); });
}

grpc::Status control::Shutdown(grpc::ServerContext*, const v1::ShutdownRequest*,
                               v1::ShutdownResponse*) {
  return answer(on_shutdown_);
}

} // namespace dramaturg
