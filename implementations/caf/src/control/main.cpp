// The command line: `dramaturg-caf --socket PATH [--scheduler stealing|sharing]`.
#include "control/port.hpp"

#include <grpcpp/grpcpp.h>

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace {

struct options {
  std::string socket;
  std::string scheduler = "stealing";
};

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

/// Returns when the harness, or whoever holds the other end, is gone (CTRL-11).
void await_end_of_input() {
  std::array<char, 256> ignored;
  while (read(STDIN_FILENO, ignored.data(), ignored.size()) > 0) {
  }
}

} // namespace

int main(int argc, char** argv) {
  options options;
  if (!parse(argc, argv, options)) {
    std::cerr << "usage: dramaturg-caf --socket PATH [--scheduler stealing|sharing]\n";
    return EXIT_FAILURE;
  }
  dramaturg::runtime runtime{options.scheduler};
  dramaturg::port port{runtime};
  grpc::ServerBuilder builder;
  builder.AddListeningPort("unix:" + options.socket, grpc::InsecureServerCredentials());
  builder.RegisterService(&port);
  const auto server = builder.BuildAndStart();
  if (!server) {
    std::cerr << "dramaturg-caf: cannot listen on " << options.socket << '\n';
    return EXIT_FAILURE;
  }
  await_end_of_input();
  // Whatever is under way, nobody waits for it any more.
  std::_Exit(EXIT_SUCCESS);
}
