// The command line: `dramaturg-caf --socket PATH [--scheduler stealing|sharing] [--workers N]`.
#include "benchmarks.hpp"
#include "control/port.hpp"

#include <grpcpp/grpcpp.h>

#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

int main(int argc, char** argv) {
  std::map<std::string, std::string> options{{"--scheduler", "stealing"}, {"--workers", "0"}};
  for (int i = 1; i + 1 < argc; i += 2)
    options[argv[i]] = argv[i + 1];
  dramaturg::compat::register_messages();
  dramaturg::runtime runtime{options["--scheduler"], std::stoul(options["--workers"])};
  dramaturg::port port{runtime};
  grpc::ServerBuilder builder;
  builder.AddListeningPort("unix:" + options["--socket"], grpc::InsecureServerCredentials());
  builder.RegisterService(&port);
  const auto server = builder.BuildAndStart();
  if (!server) {
    std::cerr << "dramaturg-caf: cannot listen on the socket '" << options["--socket"] << "'\n";
    return EXIT_FAILURE;
  }
  // CTRL-11: the end of input is the end. Whatever is under way, nobody waits for it.
  for (char ignored = 0; read(STDIN_FILENO, &ignored, 1) > 0;) {
  }
  std::_Exit(EXIT_SUCCESS);
}
