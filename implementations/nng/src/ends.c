// The ends of sockets, by nng. Employees have a REQ each, the router a raw REP and a raw REQ; the
// employer has a REP with a context for each request that waits for its answer. A raw REP would
// throw away answers beyond 64.
#include "ends.h"

#include <errno.h>
#include <nng/nng.h>
#include <nng/protocol/pipeline0/pull.h>
#include <nng/protocol/pipeline0/push.h>
#include <nng/protocol/reqrep0/rep.h>
#include <nng/protocol/reqrep0/req.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "actor.h"
#include "names.h"

// A REQ sends again what is not answered, by itself after a minute: above any call's time limit,
// and an employee may wait as long as a call.
enum { A_DAY = 24 * 60 * 60 * 1000 };

const char *const library_name = "nng";

static size_t most_bytes = 1024UL * 1024; // As the library has it.

static void check(int error, const char *what) {
  if (error != 0)
    fail(what, nng_strerror(error));
}

static void *new_end(size_t size) {
  void *end = calloc(1, size);
  check(end == NULL ? NNG_ENOMEM : 0, "calloc");
  return end;
}

static nng_socket open_socket(int (*open)(nng_socket *)) {
  nng_socket socket;
  check(open(&socket), "open");
  check(nng_socket_set_size(socket, NNG_OPT_RECVMAXSZ, most_bytes), "RECVMAXSZ");
  return socket;
}

static nng_socket listening(int (*open)(nng_socket *), const char *address) {
  const nng_socket socket = open_socket(open);
  check(nng_listen(socket, address, NULL, 0), address);
  return socket;
}

// Returns when the connection stands.
static nng_socket connected(int (*open)(nng_socket *), const char *address) {
  const nng_socket socket = open_socket(open);
  const int error = nng_dial(socket, address, NULL, 0);
  if (error != 0)
    check_files();
  check(error, address);
  return socket;
}

// A descriptor that can be read when the socket has a message.
static struct pollfd readable(nng_socket socket) {
  struct pollfd descriptor = {.events = POLLIN};
  check(nng_socket_get_int(socket, NNG_OPT_RECVFD, &descriptor.fd), "RECVFD");
  return descriptor;
}

// Its threads begin with its first socket, and stay.
void library_start(const char *address) { nng_close(listening(nng_push0_open, address)); }

size_t library_most_bytes(void) { return most_bytes; }

// The number of the request, and that of the router's connection to who asked.
size_t library_own_bytes(bool device) {
  (void)device;
  return 2 * sizeof(uint32_t);
}

void library_take_at_most(size_t bytes) { most_bytes = bytes; }

void library_version(char *version, size_t size) { snprintf(version, size, "%s", nng_version()); }

static void unpack(struct message *message) {
  nng_msg *frame = message->parcel.frame;
  unsigned char *body = nng_msg_body(frame);
  const size_t size = nng_msg_len(frame);
  check(size < sizeof message->header ? NNG_EPROTO : 0, "a message without a header");
  memcpy(&message->header, body, sizeof message->header);
  message->payload = body + sizeof message->header;
  message->size = size - sizeof message->header;
}

void message_make(struct message *message, size_t size) {
  check(nng_msg_alloc(&message->parcel.frame, sizeof(struct header) + size), "nng_msg_alloc");
  message->payload = (unsigned char *)nng_msg_body(message->parcel.frame) + sizeof(struct header);
  message->size = size;
}

void message_drop(struct message *message) { nng_msg_free(message->parcel.frame); }

static void pack(struct message *message) {
  memcpy(nng_msg_body(message->parcel.frame), &message->header, sizeof message->header);
}

static void send_message(nng_socket socket, struct message *message) {
  pack(message);
  check(nng_sendmsg(socket, message->parcel.frame, 0), "nng_sendmsg");
}

static void send_header(nng_socket socket, const struct header *header) {
  check(nng_send(socket, (void *)header, sizeof *header, 0), "nng_send");
}

// False if there is nothing now, and `flags` say not to wait.
static bool receive_message(nng_socket socket, struct message *message, int flags) {
  const int error = nng_recvmsg(socket, &message->parcel.frame, flags);
  if (error == NNG_EAGAIN)
    return false;
  check(error, "nng_recvmsg");
  unpack(message);
  return true;
}

static void wait_for(struct pollfd *descriptors) {
  while (poll(descriptors, 2, -1) < 0)
    check(errno == EINTR ? 0 : NNG_ESYSERR + errno, "poll");
}

struct control_end {
  nng_socket employer;
};

struct control_end *control_open(const struct addresses *addresses) {
  struct control_end *end = new_end(sizeof *end);
  end->employer = connected(nng_push0_open, addresses->control);
  return end;
}

void control_tell(struct control_end *end, const struct header *header) {
  send_header(end->employer, header);
}

void control_close(struct control_end *end) {
  nng_close(end->employer);
  free(end);
}

struct employer_end {
  nng_socket control;
  nng_socket requests;
  nng_ctx receiving; // The next request.
  nng_aio *receive;
  int received; // An event, once the request is there.
  nng_aio *send;
  struct pollfd readable[2];
  uint32_t employees;
  nng_socket go[MOST_EMPLOYEES];
  nng_ctx free[MOST_EMPLOYEES + 1]; // One more than can wait: to take the next request.
  uint32_t free_count;
  nng_ctx asked[MOST_EMPLOYEES];
};

// By a thread of the library.
static void tell_of_request(void *argument) {
  const struct employer_end *end = argument;
  eventfd_write(end->received, 1);
}

// Into a context that has nothing to answer. A receive that times out at once, again and again,
// would keep the library's one thread for time limits busy, and that was seen to hang.
static void receive_next(struct employer_end *end) {
  end->receiving = end->free[--end->free_count];
  nng_ctx_recv(end->receiving, end->receive);
}

struct employer_end *employer_open(const struct addresses *addresses, uint32_t employees,
                                   bool device) {
  (void)device;
  struct employer_end *end = new_end(sizeof *end);
  end->control = listening(nng_pull0_open, addresses->control);
  end->requests = connected(nng_rep0_open, addresses->back);
  end->received = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  check(end->received < 0 ? NNG_ESYSERR + errno : 0, "eventfd");
  end->readable[0] = (struct pollfd){.fd = end->received, .events = POLLIN};
  end->readable[1] = readable(end->control);
  check(nng_aio_alloc(&end->receive, tell_of_request, end), "nng_aio_alloc");
  check(nng_aio_alloc(&end->send, NULL, NULL), "nng_aio_alloc");
  end->employees = employees;
  for (uint32_t i = 0; i < employees; ++i)
    end->go[i] = listening(nng_push0_open, addresses->go[i]);
  for (; end->free_count <= employees; ++end->free_count)
    check(nng_ctx_open(&end->free[end->free_count], end->requests), "nng_ctx_open");
  receive_next(end);
  return end;
}

// False if there is no request now.
static bool take_request(struct employer_end *end, struct message *message) {
  eventfd_t events;
  if (eventfd_read(end->received, &events) != 0)
    return false;
  // The callback may be under way still.
  nng_aio_wait(end->receive);
  check(nng_aio_result(end->receive), "nng_ctx_recv");
  message->parcel.frame = nng_aio_get_msg(end->receive);
  unpack(message);
  end->asked[message->header.arguments[0] % MOST_EMPLOYEES] = end->receiving;
  receive_next(end);
  return true;
}

// Connections stand as soon as they are dialled.
void employer_await(struct employer_end *end) { (void)end; }

void employer_take(struct employer_end *end, struct message *message) {
  while (!take_request(end, message) && !receive_message(end->control, message, NNG_FLAG_NONBLOCK))
    wait_for(end->readable);
}

void employer_go(struct employer_end *end, uint32_t employee, const struct header *header) {
  send_header(end->go[employee], header);
}

void employer_answer(struct employer_end *end, uint32_t employee, struct message *message) {
  pack(message);
  nng_aio_set_msg(end->send, message->parcel.frame);
  nng_ctx_send(end->asked[employee], end->send);
  nng_aio_wait(end->send);
  check(nng_aio_result(end->send), "nng_ctx_send");
  end->free[end->free_count++] = end->asked[employee];
}

void employer_close(struct employer_end *end) {
  nng_close(end->requests);
  nng_close(end->control);
  nng_aio_free(end->receive);
  nng_aio_free(end->send);
  close(end->received);
  for (uint32_t i = 0; i < end->employees; ++i)
    nng_close(end->go[i]);
  free(end);
}

struct router_end {
  nng_socket front;
  nng_socket back;
  struct pollfd readable[2];
};

struct router_end *router_open(const struct addresses *addresses, bool device) {
  (void)device;
  struct router_end *end = new_end(sizeof *end);
  end->front = listening(nng_rep0_open_raw, addresses->front);
  end->back = listening(nng_req0_open_raw, addresses->back);
  // All that can be under way. With room for one, which is usual, router and employer would soon
  // wait for each other: each to be rid of a message, and neither would take one.
  check(nng_socket_set_int(end->front, NNG_OPT_RECVBUF, MOST_EMPLOYEES), "RECVBUF");
  check(nng_socket_set_int(end->back, NNG_OPT_RECVBUF, MOST_EMPLOYEES), "RECVBUF");
  end->readable[0] = readable(end->front);
  end->readable[1] = readable(end->back);
  return end;
}

void router_await(struct router_end *end) { (void)end; }

void router_take(struct router_end *end, struct message *message) {
  while (!receive_message(end->front, message, NNG_FLAG_NONBLOCK)
         && !receive_message(end->back, message, NNG_FLAG_NONBLOCK))
    wait_for(end->readable);
}

void router_forward(struct router_end *end, uint32_t employee, struct message *message) {
  (void)employee;
  send_message(end->back, message);
}

void router_return(struct router_end *end, uint32_t employee, struct message *message) {
  (void)employee;
  send_message(end->front, message);
}

// It ends with its sockets: there is no other way to tell it.
void router_run_device(struct router_end *end) {
  const int error = nng_device(end->front, end->back);
  check(error == NNG_ECLOSED ? 0 : error, "nng_device");
}

void router_stop(struct router_end *end) {
  nng_close(end->front);
  nng_close(end->back);
}

void router_close(struct router_end *end) {
  nng_close(end->front);
  nng_close(end->back);
  free(end);
}

struct employee_end {
  nng_socket go;
  nng_socket router;
};

struct employee_end *employee_open(const struct addresses *addresses, uint32_t index) {
  struct employee_end *end = new_end(sizeof *end);
  end->go = connected(nng_pull0_open, addresses->go[index]);
  end->router = connected(nng_req0_open, addresses->front);
  check(nng_socket_set_ms(end->router, NNG_OPT_REQ_RESENDTIME, A_DAY), "REQ_RESENDTIME");
  return end;
}

void employee_wait(struct employee_end *end, struct message *go) {
  receive_message(end->go, go, 0);
}

void employee_ask(struct employee_end *end, struct message *request) {
  send_message(end->router, request);
}

void employee_take(struct employee_end *end, struct message *answer) {
  receive_message(end->router, answer, 0);
}

void employee_close(struct employee_end *end) {
  nng_close(end->go);
  nng_close(end->router);
  free(end);
}
