// What each library provides: the ends of a world's sockets.
//
//     employee ── requests ──▶ front │ router │ back ── requests ──▶ employer
//     employer ── go ──▶ employee, past the router
//     control ── start, disconnect ──▶ employer
//
// An end is opened by control and used by one actor. Whatever fails ends the actor (`fail`).
#ifndef ENDS_H
#define ENDS_H

#include <stdbool.h>

#include "addresses.h"
#include "message.h"

// What lives as long as the process (IMPL-8). The address is of the transport that was chosen: who
// lacks it says so here, and not in the first world.
void library_start(const char *address);
extern const char *const library_name;
void library_version(char *version, size_t size);
// How many bytes a message may have here, header and all; 0 for as many as one likes.
size_t library_most_bytes(void);
// How many of them are the library's own on the way: what leads back to who asked, at most.
size_t library_own_bytes(bool device);
// Fewer than the library has by itself; before it is started.
void library_take_at_most(size_t bytes);

// A frame with room for so many bytes of payload.
void message_make(struct message *message, size_t size);
// Gives back a frame that was taken and is not sent on.
void message_drop(struct message *message);

struct control_end *control_open(const struct addresses *addresses);
void control_tell(struct control_end *end, const struct header *header);
void control_close(struct control_end *end);

// Listens for `start` and `disconnect` and for employees. Requests come from the router's back, or
// through the library's own device.
struct employer_end *employer_open(const struct addresses *addresses, uint32_t employees,
                                   bool device);
// Waits until all are connected to it to whom it sends.
void employer_await(struct employer_end *end);
// The next message, of control or the router.
void employer_take(struct employer_end *end, struct message *message);
void employer_go(struct employer_end *end, uint32_t employee, const struct header *header);
// The answer to the request of that employee that was taken last.
void employer_answer(struct employer_end *end, uint32_t employee, struct message *message);
void employer_close(struct employer_end *end);

struct router_end *router_open(const struct addresses *addresses, bool device);
// Waits until the employer is connected to it.
void router_await(struct router_end *end);
// The next message, of an employee or the employer.
void router_take(struct router_end *end, struct message *message);
// A request that was just taken, on to the employer.
void router_forward(struct router_end *end, uint32_t employee, struct message *message);
// An answer that was just taken, back to the employee who asked.
void router_return(struct router_end *end, uint32_t employee, struct message *message);
// The library's own device in the router's place. Returns when another thread has called
// `router_stop`.
void router_run_device(struct router_end *end);
void router_stop(struct router_end *end);
void router_close(struct router_end *end);

struct employee_end *employee_open(const struct addresses *addresses, uint32_t index);
void employee_wait(struct employee_end *end, struct message *go);
void employee_ask(struct employee_end *end, struct message *request);
void employee_take(struct employee_end *end, struct message *answer);
void employee_close(struct employee_end *end);

#endif
