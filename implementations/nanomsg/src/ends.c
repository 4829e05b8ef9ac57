// The ends of sockets, by nanomsg. Employees have a REQ each, and the router has a raw REP for
// them. Between router and employer is a PAIR: a REP, raw or not, throws away an answer if the
// connection is not ready for one more, and the employer sends many answers over one connection.
#include "ends.h"

#include <errno.h>
#include <nanomsg/nn.h>
#include <nanomsg/pair.h>
#include <nanomsg/pipeline.h>
#include <nanomsg/reqrep.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "actor.h"
#include "names.h"

// A REQ sends again what is not answered, by itself after a minute: above any call's time limit,
// and an employee may wait as long as a call.
enum { A_DAY = 24 * 60 * 60 * 1000 };

const char *const library_name = "nanomsg";

static int most_bytes = 1024 * 1024; // As the library has it.

static void check(bool well, const char *what) {
  if (!well)
    fail(what, nn_strerror(nn_errno()));
}

static void *new_end(size_t size) {
  void *end = calloc(1, size);
  if (end == NULL)
    fail("calloc", strerror(errno));
  return end;
}

static int open_socket(int domain, int protocol) {
  const int socket = nn_socket(domain, protocol);
  check(socket >= 0, "nn_socket");
  check(nn_setsockopt(socket, NN_SOL_SOCKET, NN_RCVMAXSIZE, &most_bytes, sizeof most_bytes) == 0,
        "RCVMAXSIZE");
  return socket;
}

static int listening(int domain, int protocol, const char *address) {
  const int socket = open_socket(domain, protocol);
  check(nn_bind(socket, address) >= 0, address);
  return socket;
}

static int connected(int domain, int protocol, const char *address) {
  const int socket = open_socket(domain, protocol);
  check(nn_connect(socket, address) >= 0, address);
  return socket;
}

// Until somebody is there to whom it can send.
static int await_peer(int socket) {
  struct nn_pollfd item = {.fd = socket, .events = NN_POLLOUT};
  enum { A_SECOND = 1000 };
  int found;
  while ((found = nn_poll(&item, 1, A_SECOND)) <= 0) {
    check(found == 0 || nn_errno() == EINTR, "nn_poll");
    check_files();
  }
  return socket;
}

// To a REQ one can send at any time, so a poll says nothing of its connection.
static int await_connection(int socket) {
  enum { MOMENTS_OF_A_SECOND = 10000 };
  const struct timespec moment = {.tv_nsec = 100000};
  for (unsigned moments = 1; nn_get_statistic(socket, NN_STAT_CURRENT_CONNECTIONS) == 0;
       ++moments) {
    nanosleep(&moment, NULL);
    if (moments % MOMENTS_OF_A_SECOND == 0)
      check_files();
  }
  return socket;
}

static void close_socket(int socket) { check(nn_close(socket) == 0, "nn_close"); }

// The library ends its threads with its last socket, so one stays.
void library_start(const char *address) {
  close_socket(listening(AF_SP, NN_PAIR, address));
  open_socket(AF_SP, NN_PAIR);
}

// It has no function that says it.
void library_version(char *version, size_t size) { snprintf(version, size, "%s", LIBRARY_VERSION); }

size_t library_most_bytes(void) { return (size_t)most_bytes; }

// The number of the request, and behind a device that of its connection to who asked.
size_t library_own_bytes(bool device) { return (device ? 2 : 1) * sizeof(uint32_t); }

void library_take_at_most(size_t bytes) { most_bytes = (int)bytes; }

void message_make(struct message *message, size_t size) {
  message->parcel.route = NULL;
  message->parcel.frame = nn_allocmsg(sizeof(struct header) + size, 0);
  check(message->parcel.frame != NULL, "nn_allocmsg");
  message->payload = (unsigned char *)message->parcel.frame + sizeof(struct header);
  message->size = size;
}

void message_drop(struct message *message) { nn_freemsg(message->parcel.frame); }

static void send_message(int socket, struct message *message) {
  memcpy(message->parcel.frame, &message->header, sizeof message->header);
  while (nn_send(socket, &message->parcel.frame, NN_MSG, 0) < 0)
    check(nn_errno() == EINTR, "nn_send");
}

static void send_header(int socket, const struct header *header) {
  while (nn_send(socket, header, sizeof *header, 0) < 0)
    check(nn_errno() == EINTR, "nn_send");
}

// Back to who asked.
static void send_routed(int socket, void *route, struct message *message) {
  memcpy(message->parcel.frame, &message->header, sizeof message->header);
  struct nn_iovec part = {.iov_base = &message->parcel.frame, .iov_len = NN_MSG};
  const struct nn_msghdr parts = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &route, .msg_controllen = NN_MSG};
  while (nn_sendmsg(socket, &parts, 0) < 0)
    check(nn_errno() == EINTR, "nn_sendmsg");
}

static void unpack(struct message *message, int size) {
  check(size >= (int)sizeof message->header, "a message without a header");
  memcpy(&message->header, message->parcel.frame, sizeof message->header);
  message->payload = (unsigned char *)message->parcel.frame + sizeof message->header;
  message->size = (size_t)size - sizeof message->header;
}

// False if there is nothing now, and `flags` say not to wait.
static bool receive_message(int socket, struct message *message, int flags) {
  message->parcel.route = NULL;
  int size = nn_recv(socket, &message->parcel.frame, NN_MSG, flags);
  while (size < 0 && nn_errno() == EINTR)
    size = nn_recv(socket, &message->parcel.frame, NN_MSG, flags);
  if (size < 0 && nn_errno() == EAGAIN)
    return false;
  check(size >= 0, "nn_recv");
  unpack(message, size);
  return true;
}

static bool receive_routed(int socket, struct message *message, int flags) {
  struct nn_iovec part = {.iov_base = &message->parcel.frame, .iov_len = NN_MSG};
  struct nn_msghdr parts = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = &message->parcel.route,
                            .msg_controllen = NN_MSG};
  int size = nn_recvmsg(socket, &parts, flags);
  while (size < 0 && nn_errno() == EINTR)
    size = nn_recvmsg(socket, &parts, flags);
  if (size < 0 && nn_errno() == EAGAIN)
    return false;
  check(size >= 0, "nn_recvmsg");
  unpack(message, size);
  return true;
}

static void wait_for(int first, int second) {
  struct nn_pollfd sockets[] = {{.fd = first, .events = NN_POLLIN},
                                {.fd = second, .events = NN_POLLIN}};
  while (nn_poll(sockets, 2, -1) < 0)
    check(nn_errno() == EINTR, "nn_poll");
}

struct control_end {
  int employer;
};

struct control_end *control_open(const struct addresses *addresses) {
  struct control_end *end = new_end(sizeof *end);
  end->employer = await_peer(connected(AF_SP, NN_PUSH, addresses->control));
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
  int control;
  int requests;
  bool device;
  void *routes[MOST_EMPLOYEES]; // Through a device: to each who has asked and has no answer yet.
  uint32_t employees;
  int go[MOST_EMPLOYEES];
};

// A device takes a raw REP alone, and that a REQ, and has no place where the way back could be
// kept: so the employer keeps it, and may lose answers.
struct employer_end *employer_open(const struct addresses *addresses, uint32_t employees,
                                   bool device) {
  struct employer_end *end = new_end(sizeof *end);
  end->control = listening(AF_SP, NN_PULL, addresses->control);
  end->device = device;
  end->requests = device ? connected(AF_SP_RAW, NN_REP, addresses->back)
                         : connected(AF_SP, NN_PAIR, addresses->back);
  end->employees = employees;
  for (uint32_t i = 0; i < employees; ++i)
    end->go[i] = listening(AF_SP, NN_PUSH, addresses->go[i]);
  return end;
}

void employer_await(struct employer_end *end) {
  for (uint32_t i = 0; i < end->employees; ++i)
    await_peer(end->go[i]);
}

static bool take_request(struct employer_end *end, struct message *message) {
  if (!end->device)
    return receive_message(end->requests, message, NN_DONTWAIT);
  if (!receive_routed(end->requests, message, NN_DONTWAIT))
    return false;
  end->routes[message->header.arguments[0] % MOST_EMPLOYEES] = message->parcel.route;
  return true;
}

void employer_take(struct employer_end *end, struct message *message) {
  while (!take_request(end, message) && !receive_message(end->control, message, NN_DONTWAIT))
    wait_for(end->requests, end->control);
}

void employer_go(struct employer_end *end, uint32_t employee, const struct header *header) {
  send_header(end->go[employee], header);
}

// The router knows the way to the employee.
void employer_answer(struct employer_end *end, uint32_t employee, struct message *message) {
  if (end->device)
    send_routed(end->requests, end->routes[employee], message);
  else
    send_message(end->requests, message);
}

void employer_close(struct employer_end *end) {
  close_socket(end->control);
  close_socket(end->requests);
  for (uint32_t i = 0; i < end->employees; ++i)
    close_socket(end->go[i]);
  free(end);
}

struct router_end {
  int front;
  int back;
  void *routes[MOST_EMPLOYEES]; // To each who has asked and has no answer yet.
  // Of a device: who makes it notice that it is to end, and where that connects.
  int last;
  const char *address;
};

struct router_end *router_open(const struct addresses *addresses, bool device) {
  struct router_end *end = new_end(sizeof *end);
  end->address = addresses->front;
  end->front = listening(AF_SP_RAW, NN_REP, addresses->front);
  end->back = device ? listening(AF_SP_RAW, NN_REQ, addresses->back)
                     : listening(AF_SP, NN_PAIR, addresses->back);
  return end;
}

void router_await(struct router_end *end) { await_peer(end->back); }

void router_take(struct router_end *end, struct message *message) {
  while (!receive_routed(end->front, message, NN_DONTWAIT)
         && !receive_message(end->back, message, NN_DONTWAIT))
    wait_for(end->front, end->back);
}

void router_forward(struct router_end *end, uint32_t employee, struct message *message) {
  end->routes[employee] = message->parcel.route;
  send_message(end->back, message);
}

void router_return(struct router_end *end, uint32_t employee, struct message *message) {
  send_routed(end->front, end->routes[employee], message);
}

// It polls, and does not see that a socket was closed before it has a message for it.
void router_run_device(struct router_end *end) { nn_device(end->front, end->back); }

void router_stop(struct router_end *end) {
  const struct header last = {0};
  // Before the other is closed, whose number it would be given.
  end->last = await_connection(connected(AF_SP, NN_REQ, end->address));
  close_socket(end->back);
  end->back = -1;
  send_header(end->last, &last);
}

void router_close(struct router_end *end) {
  close_socket(end->front);
  if (end->back >= 0)
    close_socket(end->back);
  else
    close_socket(end->last);
  free(end);
}

struct employee_end {
  int go;
  int router;
};

struct employee_end *employee_open(const struct addresses *addresses, uint32_t index) {
  struct employee_end *end = new_end(sizeof *end);
  const int resend = A_DAY;
  end->go = connected(AF_SP, NN_PULL, addresses->go[index]);
  end->router = await_connection(connected(AF_SP, NN_REQ, addresses->front));
  check(nn_setsockopt(end->router, NN_REQ, NN_REQ_RESEND_IVL, &resend, sizeof resend) == 0,
        "REQ_RESEND_IVL");
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
  close_socket(end->go);
  close_socket(end->router);
  free(end);
}
