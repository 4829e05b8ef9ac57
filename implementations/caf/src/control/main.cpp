// The command line: `dramaturg-caf --socket PATH [--scheduler stealing|sharing]`.
#include "chatapp.hpp"
#include "control.hpp"
#include "plays.hpp"

#include <grpcpp/grpcpp.h>

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>

namespace {

using namespace std::chrono_literals;

// CTRL-11 allows two seconds to a process that may be in the middle of anything.
constexpr auto exit_patience = 1s;

struct options {
  std::string socket;
  std::string scheduler = "stealing";
};

int usage() {
  std::cerr << "usage: dramaturg-caf --socket PATH [--scheduler stealing|sharing]\n";
  return 2;
}

/// The signals that end the process. They are taken by `main` alone, so every
/// thread must be started after this.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const auto number : {SIGTERM, SIGINT})
    sigaddset(&signals, number);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

bool parse(int argc, char** argv, options& result) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    const std::string value = argv[i + 1];
    if (option == "--socket")
      result.socket = value;
    else if (option == "--scheduler" && (value == "stealing" || value == "sharing"))
      result.scheduler = value;
    else
      return false;
  }
  return argc % 2 == 1 && !result.socket.empty();
}

/// Ends the process although an actor or a call does not.
void exit_in_time() {
  std::thread{[] {
    std::this_thread::sleep_for(exit_patience);
    std::_Exit(EXIT_SUCCESS);
  }}.detach();
}

} // namespace

int main(int argc, char** argv) {
  options options;
  if (!parse(argc, argv, options))
    return usage();
  const auto signals = block_signals();
  dramaturg::compat::register_messages();
  dramaturg::runtime runtime{options.scheduler};
  dramaturg::control control{runtime, [] { kill(getpid(), SIGTERM); }};
  grpc::ServerBuilder builder;
  builder.AddListeningPort("unix:" + options.socket, grpc::InsecureServerCredentials());
  builder.RegisterService(&control);
  const auto server = builder.BuildAndStart();
  if (!server) {
    std::cerr << "dramaturg-caf: cannot listen on " << options.socket << '\n';
    return EXIT_FAILURE;
  }
  int number = 0;
  sigwait(&signals, &number);
  exit_in_time();
  control.abandon();
  server->Shutdown();
  return EXIT_SUCCESS;
}
