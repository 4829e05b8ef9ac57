// The ends of sockets, by libzmq. Employees have a REQ each, the router a ROUTER and a DEALER; the
// employer has a ROUTER as well, since a REP must answer each request before it takes the next,
// and some wait until all are dismissed.
#include "ends.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "actor.h"
#include "names.h"

const char *const library_name = "ZeroMQ";

static void *context;
static int64_t most_bytes = -1; // As many as one likes.

static void check(bool well, const char *what) {
  if (!well)
    fail(what, zmq_strerror(errno));
}

static void *new_end(size_t size) {
  void *end = calloc(1, size);
  check(end != NULL, "calloc");
  return end;
}

static void *open_socket(int type) {
  void *socket = zmq_socket(context, type);
  check(socket != NULL, "zmq_socket");
  check(zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &most_bytes, sizeof most_bytes) == 0, "MAXMSGSIZE");
  return socket;
}

static void *listening(int type, const char *address) {
  void *socket = open_socket(type);
  check(zmq_bind(socket, address) == 0, address);
  return socket;
}

static void *connected(int type, const char *address) {
  void *socket = open_socket(type);
  // What is sent goes to connections that stand, and can be sent then only.
  const int on = 1;
  check(zmq_setsockopt(socket, ZMQ_IMMEDIATE, &on, sizeof on) == 0, "IMMEDIATE");
  check(zmq_connect(socket, address) == 0, address);
  return socket;
}

// Until somebody is there to whom it can send.
static void *await_peer(void *socket) {
  zmq_pollitem_t item = {.socket = socket, .events = ZMQ_POLLOUT};
  enum { A_SECOND = 1000 };
  int found;
  while ((found = zmq_poll(&item, 1, A_SECOND)) <= 0) {
    check(found == 0 || errno == EINTR, "zmq_poll");
    check_files();
  }
  return socket;
}

// Without it what cannot be sent on is thrown away.
static void *reliable(void *socket) {
  const int on = 1;
  check(zmq_setsockopt(socket, ZMQ_ROUTER_MANDATORY, &on, sizeof on) == 0, "ROUTER_MANDATORY");
  return socket;
}

static void close_socket(void *socket) { check(zmq_close(socket) == 0, "zmq_close"); }

void library_start(const char *address) {
  context = zmq_ctx_new();
  check(context != NULL, "zmq_ctx_new");
  // Its threads begin with its first socket.
  close_socket(listening(ZMQ_PAIR, address));
}

void library_version(char *version, size_t size) {
  int major;
  int minor;
  int patch;
  zmq_version(&major, &minor, &patch);
  snprintf(version, size, "%d.%d.%d", major, minor, patch);
}

size_t library_most_bytes(void) { return most_bytes < 0 ? 0 : (size_t)most_bytes; }

// What leads back is in frames of its own.
size_t library_own_bytes(bool device) {
  (void)device;
  return 0;
}

void library_take_at_most(size_t bytes) { most_bytes = (int64_t)bytes; }

void message_make(struct message *message, size_t size) {
  zmq_msg_t *frame = &message->parcel.frame;
  check(zmq_msg_init_size(frame, sizeof(struct header) + size) == 0, "zmq_msg_init_size");
  message->payload = (unsigned char *)zmq_msg_data(frame) + sizeof(struct header);
  message->size = size;
}

void message_drop(struct message *message) { zmq_msg_close(&message->parcel.frame); }

static void send_message(void *socket, struct message *message) {
  memcpy(zmq_msg_data(&message->parcel.frame), &message->header, sizeof message->header);
  while (zmq_msg_send(&message->parcel.frame, socket, 0) < 0)
    check(errno == EINTR, "zmq_msg_send");
}

static void send_bytes(void *socket, const void *bytes, size_t size, int flags) {
  while (zmq_send(socket, bytes, size, flags) < 0)
    check(errno == EINTR, "zmq_send");
}

static void send_header(void *socket, const struct header *header) {
  send_bytes(socket, header, sizeof *header, 0);
}

// False if there is nothing now, and `flags` say not to wait.
static bool receive_frame(void *socket, struct message *message, int flags) {
  zmq_msg_t *frame = &message->parcel.frame;
  zmq_msg_init(frame);
  int size = zmq_msg_recv(frame, socket, flags);
  while (size < 0 && errno == EINTR)
    size = zmq_msg_recv(frame, socket, flags);
  if (size < 0 && errno == EAGAIN)
    return false;
  check(size >= (int)sizeof message->header, "zmq_msg_recv");
  const unsigned char *data = zmq_msg_data(frame);
  memcpy(&message->header, data, sizeof message->header);
  message->payload = (unsigned char *)zmq_msg_data(frame) + sizeof message->header;
  message->size = (size_t)size - sizeof message->header;
  return true;
}

static bool receive_hop(void *socket, struct hop *hop, int flags) {
  int size = zmq_recv(socket, hop->bytes, sizeof hop->bytes, flags);
  while (size < 0 && errno == EINTR)
    size = zmq_recv(socket, hop->bytes, sizeof hop->bytes, flags);
  if (size < 0 && errno == EAGAIN)
    return false;
  check(size >= 0 && size <= (int)sizeof hop->bytes, "zmq_recv");
  hop->size = (unsigned char)size;
  return true;
}

// Hops, an empty frame, and the message: as REQ and REP have it.
static bool receive_routed(void *socket, struct message *message, int hops, int flags) {
  for (int i = 0; i < hops; ++i) {
    if (!receive_hop(socket, &message->parcel.hops[i], flags))
      return false;
    flags = 0;
  }
  struct hop empty;
  receive_hop(socket, &empty, 0);
  return receive_frame(socket, message, 0);
}

static void send_routed(void *socket, const struct hop *route, int hops, struct message *message) {
  for (int i = 0; i < hops; ++i)
    send_bytes(socket, route[i].bytes, route[i].size, ZMQ_SNDMORE);
  send_bytes(socket, "", 0, ZMQ_SNDMORE);
  send_message(socket, message);
}

static void wait_for(void *first, void *second) {
  zmq_pollitem_t items[] = {{.socket = first, .events = ZMQ_POLLIN},
                            {.socket = second, .events = ZMQ_POLLIN}};
  while (zmq_poll(items, 2, -1) < 0)
    check(errno == EINTR, "zmq_poll");
}

struct control_end {
  void *employer;
};

struct control_end *control_open(const struct addresses *addresses) {
  struct control_end *end = new_end(sizeof *end);
  end->employer = await_peer(connected(ZMQ_PUSH, addresses->control));
  return end;
}

void control_tell(struct control_end *end, const struct header *header) {
  send_header(end->employer, header);
}

void control_close(struct control_end *end) {
  close_socket(end->employer);
  free(end);
}

struct employer_end {
  void *control;
  void *requests;
  uint32_t employees;
  void *go[MOST_EMPLOYEES];
  struct hop routes[MOST_EMPLOYEES][2];
};

struct employer_end *employer_open(const struct addresses *addresses, uint32_t employees,
                                   bool device) {
  (void)device;
  struct employer_end *end = new_end(sizeof *end);
  end->control = listening(ZMQ_PULL, addresses->control);
  end->requests = reliable(connected(ZMQ_ROUTER, addresses->back));
  end->employees = employees;
  for (uint32_t i = 0; i < employees; ++i)
    end->go[i] = listening(ZMQ_PUSH, addresses->go[i]);
  return end;
}

void employer_await(struct employer_end *end) {
  for (uint32_t i = 0; i < end->employees; ++i)
    await_peer(end->go[i]);
}

void employer_take(struct employer_end *end, struct message *message) {
  for (;;) {
    if (receive_routed(end->requests, message, 2, ZMQ_DONTWAIT)) {
      struct hop *route = end->routes[message->header.arguments[0] % MOST_EMPLOYEES];
      memcpy(route, message->parcel.hops, sizeof message->parcel.hops);
      return;
    }
    if (receive_frame(end->control, message, ZMQ_DONTWAIT))
      return;
    wait_for(end->requests, end->control);
  }
}

void employer_go(struct employer_end *end, uint32_t employee, const struct header *header) {
  send_header(end->go[employee], header);
}

void employer_answer(struct employer_end *end, uint32_t employee, struct message *message) {
  send_routed(end->requests, end->routes[employee], 2, message);
}

void employer_close(struct employer_end *end) {
  close_socket(end->control);
  close_socket(end->requests);
  for (uint32_t i = 0; i < end->employees; ++i)
    close_socket(end->go[i]);
  free(end);
}

struct router_end {
  void *front;
  void *back;
  // Of a device: where it is told to end, and where control says so.
  void *told;
  void *tell;
};

struct router_end *router_open(const struct addresses *addresses, bool device) {
  struct router_end *end = new_end(sizeof *end);
  end->front = reliable(listening(ZMQ_ROUTER, addresses->front));
  end->back = listening(ZMQ_DEALER, addresses->back);
  if (device) {
    char address[sizeof "inproc://stop-" + ADDRESS_SIZE];
    snprintf(address, sizeof address, "inproc://stop-%s", addresses->back);
    end->told = listening(ZMQ_PAIR, address);
    end->tell = connected(ZMQ_PAIR, address);
  }
  return end;
}

void router_await(struct router_end *end) { await_peer(end->back); }

void router_take(struct router_end *end, struct message *message) {
  while (!receive_routed(end->front, message, 1, ZMQ_DONTWAIT)
         && !receive_routed(end->back, message, 1, ZMQ_DONTWAIT))
    wait_for(end->front, end->back);
}

void router_forward(struct router_end *end, uint32_t employee, struct message *message) {
  (void)employee;
  send_routed(end->back, message->parcel.hops, 1, message);
}

void router_return(struct router_end *end, uint32_t employee, struct message *message) {
  (void)employee;
  send_routed(end->front, message->parcel.hops, 1, message);
}

void router_run_device(struct router_end *end) {
  check(zmq_proxy_steerable(end->front, end->back, NULL, end->told) == 0, "zmq_proxy_steerable");
}

void router_stop(struct router_end *end) {
  check(zmq_send(end->tell, "TERMINATE", strlen("TERMINATE"), 0) >= 0, "zmq_send");
}

void router_close(struct router_end *end) {
  if (end->told != NULL) {
    close_socket(end->tell);
    close_socket(end->told);
  }
  close_socket(end->front);
  close_socket(end->back);
  free(end);
}

struct employee_end {
  void *go;
  void *router;
};

struct employee_end *employee_open(const struct addresses *addresses, uint32_t index) {
  struct employee_end *end = new_end(sizeof *end);
  end->go = connected(ZMQ_PULL, addresses->go[index]);
  end->router = await_peer(connected(ZMQ_REQ, addresses->front));
  return end;
}

void employee_wait(struct employee_end *end, struct message *go) { receive_frame(end->go, go, 0); }

void employee_ask(struct employee_end *end, struct message *request) {
  send_message(end->router, request);
}

void employee_take(struct employee_end *end, struct message *answer) {
  receive_frame(end->router, answer, 0);
}

void employee_close(struct employee_end *end) {
  close_socket(end->go);
  close_socket(end->router);
  free(end);
}
