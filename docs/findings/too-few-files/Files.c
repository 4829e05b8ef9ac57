// 128 workers ask one server over ZeroMQ in a process that may open few files. Neither bind nor
// connect nor send fails: requests only never arrive.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zmq.h>

enum { WORKERS = 128 };

int main(int count, char **arguments) {
  struct rlimit limit = {(rlim_t)atoi(arguments[count - 1]), (rlim_t)atoi(arguments[count - 1])};
  void *context = zmq_ctx_new(), *server = zmq_socket(context, ZMQ_PULL), *worker[WORKERS];
  char address[256];
  size_t length = sizeof address;
  if (setrlimit(RLIMIT_NOFILE, &limit) || zmq_bind(server, "tcp://127.0.0.1:*") ||
      zmq_getsockopt(server, ZMQ_LAST_ENDPOINT, address, &length)) {
    perror("set-up");
    return 2;
  }
  int failed = 0, arrived = 0, patience = 2000;
  for (int i = 0; i < WORKERS; i++) {
    worker[i] = zmq_socket(context, ZMQ_PUSH);
    failed += !worker[i] || zmq_connect(worker[i], address) || zmq_send(worker[i], "?", 1, 0) < 0;
  }
  zmq_setsockopt(server, ZMQ_RCVTIMEO, &patience, sizeof patience);
  for (char byte; zmq_recv(server, &byte, 1, 0) >= 0;)
    arrived++;
  printf("%s files: %d of %d requests sent, %d calls failed, %d arrived within 2 s of the last\n",
         arguments[count - 1], WORKERS - failed, WORKERS, failed, arrived);
  fflush(stdout);
  _exit(failed == 0 && arrived < WORKERS);
}
