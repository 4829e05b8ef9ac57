// A request carries SIZE bytes over ZeroMQ, and the program finds the length of what it sends by
// strlen. It receives what it sent, so it notices nothing: a payload ends at its first zero.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

static size_t carried(void *context, size_t size, int random) {
  char *payload = malloc(size + 1);
  for (size_t i = 0; i < size; i++)
    payload[i] = random ? (char)(rand() >> 8) : 0;
  payload[size] = 0;
  void *receiver = zmq_socket(context, ZMQ_PULL), *sender = zmq_socket(context, ZMQ_PUSH);
  char name[64];
  snprintf(name, sizeof name, "inproc://%zu-%d", size, random);
  if (zmq_bind(receiver, name) || zmq_connect(sender, name)) {
    perror(name);
    exit(2);
  }
  zmq_send(sender, payload, strlen(payload), 0);
  zmq_msg_t message;
  zmq_msg_init(&message);
  zmq_msg_recv(&message, receiver, 0);
  size_t arrived = zmq_msg_size(&message);
  zmq_msg_close(&message);
  zmq_close(sender);
  zmq_close(receiver);
  free(payload);
  return arrived;
}

int main(void) {
  void *context = zmq_ctx_new();
  int lost = 0;
  srand(42);
  for (size_t size = 4; size <= 65536; size *= 128)
    for (int random = 0; random < 2; random++) {
      size_t arrived = carried(context, size, random);
      printf("%5zu %s bytes: %zu arrived\n", size, random ? "random" : "zero", arrived);
      lost += arrived < size;
    }
  zmq_ctx_term(context);
  return lost > 0;
}
