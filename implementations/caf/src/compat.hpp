#pragma once

// CAF 0.17, 0.18 and >= 1.0 differ: since 0.18 in how types are registered and what settings
// and atoms are called, since 1.0 in how messages are sent and how states become actors. All
// of it is here; no other file asks which version it is compiled with.

#include <caf/all.hpp>
#include <caf/io/all.hpp>
#include <caf/io/basp_broker.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#define DRAMATURG_CAF_1 (CAF_MAJOR_VERSION >= 1)
#define DRAMATURG_CAF_0_18 (DRAMATURG_CAF_1 || CAF_MINOR_VERSION >= 18) // or later

// -- Message types -----------------------------------------------------------

#if DRAMATURG_CAF_0_18

// Gives each message in LIST the number by which CAF dispatches on it. The
// function is to be called once, before an actor system is configured; it is a
// template so that only its caller needs the messages to be complete.
#define DRAMATURG_REGISTER_MESSAGES(LIST)                                                          \
  CAF_BEGIN_TYPE_ID_BLOCK(dramaturg, caf::first_custom_type_id)                                    \
  LIST(DRAMATURG_ADD_TYPE_ID)                                                                      \
  CAF_END_TYPE_ID_BLOCK(dramaturg)                                                                 \
  namespace dramaturg::compat {                                                                    \
  template <class TypeIdBlock = caf::id_block::dramaturg>                                          \
  void register_messages() {                                                                       \
    caf::init_global_meta_objects<TypeIdBlock>();                                                  \
    caf::io::middleman::init_global_meta_objects();                                                \
    caf::core::init_global_meta_objects();                                                         \
  }                                                                                                \
  }
#define DRAMATURG_ADD_TYPE_ID(RECEIVER, MESSAGE)                                                   \
  CAF_ADD_TYPE_ID(dramaturg, (dramaturg::RECEIVER::MESSAGE))

#else

// CAF 0.17 knows messages by their run-time type information.
#define DRAMATURG_REGISTER_MESSAGES(LIST)                                                          \
  namespace dramaturg::compat {                                                                    \
  inline void register_messages() {}                                                               \
  }

#endif

namespace dramaturg::compat {

// -- Actors and messages ------------------------------------------------------

#if DRAMATURG_CAF_1

template <class... Messages>
struct signatures_of {
  using signatures = caf::type_list<caf::result<void>(Messages)...>;
};

/// A handle to an actor that takes just these messages and answers none.
template <class... Messages>
using handle = caf::typed_actor<signatures_of<Messages...>>;

template <class Request, class Answer, class... Messages>
struct signatures_with_answer {
  using signatures = caf::type_list<caf::result<Answer>(Request), caf::result<void>(Messages)...>;
};

/// The same of an actor that also answers one kind of request.
template <class Request, class Answer, class... Messages>
using answering_handle = caf::typed_actor<signatures_with_answer<Request, Answer, Messages...>>;

/// Makes an actor of a `State`. CAF destroys the state when the actor quits, so
/// that the handles in it keep nobody in memory.
template <class State, class Parent, class... Args>
auto spawn(Parent& parent, Args&&... args) {
  return parent.spawn(caf::actor_from_state<State>, std::forward<Args>(args)...);
}

template <class Self, class Handle, class Message>
void send(Self& self, const Handle& receiver, Message&& message) {
  self.mail(std::forward<Message>(message)).send(receiver);
}

template <class Self, class Handle, class Message>
void send_later(Self& self, std::chrono::milliseconds delay, const Handle& receiver,
                Message&& message) {
  self.mail(std::forward<Message>(message)).delay(delay).send(receiver);
}

template <class Self, class Handle, class Message>
void send_at(Self& self, caf::actor_clock::time_point when, const Handle& receiver,
             Message&& message) {
  self.mail(std::forward<Message>(message)).schedule(when).send(receiver);
}

/// Sends without a sender: from outside, or from an actor that is ending.
template <class Handle, class... Parts>
void anon_send(const Handle& receiver, Parts&&... parts) {
  caf::anon_mail(std::forward<Parts>(parts)...).send(receiver);
}

/// Asks an actor something that it may take as long as it likes to answer.
template <class Self, class Handle, class... Parts>
auto request(Self& self, const Handle& receiver, Parts&&... parts) {
  return self->mail(std::forward<Parts>(parts)...).request(receiver, caf::infinite);
}

#else

#if DRAMATURG_CAF_0_18
template <class... Messages>
using handle = caf::typed_actor<caf::result<void>(Messages)...>;

template <class Request, class Answer, class... Messages>
using answering_handle =
    caf::typed_actor<caf::result<Answer>(Request), caf::result<void>(Messages)...>;
#else
template <class... Messages>
using handle = caf::typed_actor<caf::reacts_to<Messages>...>;

template <class Request, class Answer, class... Messages>
using answering_handle = caf::typed_actor<typename caf::replies_to<Request>::template with<Answer>,
                                          caf::reacts_to<Messages>...>;
#endif

/// What `caf::stateful_actor` is to a state without constructor arguments: it
/// lives until the actor quits, which may be long before the last handle goes.
template <class State>
class actor_from_state final : public State::handle_type::base {
public:
  using base = typename State::handle_type::base;

  template <class... Args>
  explicit actor_from_state(caf::actor_config& config, Args&&... args) : base{config} {
    new (&state_) State{this, std::forward<Args>(args)...};
  }

  ~actor_from_state() override {}

  typename base::behavior_type make_behavior() override { return state_.make_behavior(); }

  void on_exit() override { state_.~State(); }

private:
  union {
    State state_;
  };
};

template <class State, class Parent, class... Args>
auto spawn(Parent& parent, Args&&... args) {
  return parent.template spawn<actor_from_state<State>>(std::forward<Args>(args)...);
}

template <class Self, class Handle, class Message>
void send(Self& self, const Handle& receiver, Message&& message) {
  self.send(receiver, std::forward<Message>(message));
}

template <class Self, class Handle, class Message>
void send_later(Self& self, std::chrono::milliseconds delay, const Handle& receiver,
                Message&& message) {
  self.delayed_send(receiver, delay, std::forward<Message>(message));
}

template <class Self, class Handle, class Message>
void send_at(Self& self, caf::actor_clock::time_point when, const Handle& receiver,
             Message&& message) {
  self.scheduled_send(receiver, when, std::forward<Message>(message));
}

template <class Handle, class... Parts>
void anon_send(const Handle& receiver, Parts&&... parts) {
  caf::anon_send(receiver, std::forward<Parts>(parts)...);
}

template <class Self, class Handle, class... Parts>
auto request(Self& self, const Handle& receiver, Parts&&... parts) {
  return self->request(receiver, caf::infinite, std::forward<Parts>(parts)...);
}

#endif

// -- The network, and settings ------------------------------------------------

#if DRAMATURG_CAF_0_18

constexpr auto publish = caf::publish_atom_v;
constexpr auto open = caf::connect_atom_v;

/// CAF's own actor that speaks its network protocol.
inline caf::actor network_broker(caf::actor_system& system) {
  return system.middleman().named_broker<caf::io::basp_broker>("BASP");
}

/// Makes a message known to the network. Its type id has done so already.
template <class Message>
void register_remote(caf::actor_system_config&, const std::string&) {}

inline void configure(caf::actor_system_config& config, const std::string& policy,
                      std::size_t threads) {
  config.set("caf.scheduler.policy", policy);
  config.set("caf.scheduler.max-threads", threads);
  // By default a node that says nothing for 30 s is taken for dead, which on a
  // machine with more to do than it can may only be slow. TCP tells who died.
  config.set("caf.middleman.heartbeat-interval", caf::timespan{0});
}

// Earlier versions send an enumeration as its number without being told.
template <class Inspector, class Field>
auto inspect_field(Inspector& inspector, Field& field) {
  if constexpr (std::is_enum_v<Field>) {
    using number = std::underlying_type_t<Field>;
    const auto get = [&field] { return static_cast<number>(field); };
    const auto set = [&field](number received) {
      field = static_cast<Field>(received);
      return true;
    };
    return inspector.field("field", get, set);
  } else {
    return inspector.field("field", field);
  }
}

/// Shows the fields of a message to CAF, which thereby sends it over a network.
template <class Inspector, class Message, class... Fields>
auto inspect_fields(Inspector& inspector, Message& message, Fields&... fields) {
  return inspector.object(message).fields(inspect_field(inspector, fields)...);
}

#else

const auto publish = caf::publish_atom::value;
const auto open = caf::connect_atom::value;

inline caf::actor network_broker(caf::actor_system& system) {
  return system.middleman().named_broker<caf::io::basp_broker>(caf::atom("BASP"));
}

template <class Message>
void register_remote(caf::actor_system_config& config, const std::string& name) {
  config.add_message_type<Message>(name);
}

inline void configure(caf::actor_system_config& config, const std::string& policy,
                      std::size_t threads) {
  config.set("scheduler.policy", caf::atom_from_string(policy));
  config.set("scheduler.max-threads", threads);
}

template <class Inspector, class Message, class... Fields>
auto inspect_fields(Inspector& inspector, Message&, Fields&... fields) {
  return inspector(fields...);
}

#endif

/// Gives CAF's broker for its network protocol what it takes from CAF itself when it has
/// accepted a connection: CAF answers the handshake with `host`.
inline void serve(caf::actor_system& system, int connection, std::uint16_t port,
                  const caf::strong_actor_ptr& host) {
  compat::anon_send(network_broker(system), publish,
                    system.middleman().backend().new_scribe(connection), port, host,
                    std::set<std::string>{});
}

/// The same for a connection that was opened. Returns who serves it, if anybody does.
inline caf::strong_actor_ptr connect(caf::actor_system& system, int connection,
                                     std::uint16_t port) {
  caf::scoped_actor self{system};
  caf::strong_actor_ptr host;
  compat::request(self, network_broker(system), open,
                  system.middleman().backend().new_scribe(connection), port)
      .receive([&](const caf::node_id&, const caf::strong_actor_ptr& served,
                   const std::set<std::string>&) { host = served; },
               [](const caf::error&) {});
  return host;
}

inline std::string version() {
#if DRAMATURG_CAF_1
  return std::string{caf::version::str()};
#else
  return std::to_string(CAF_MAJOR_VERSION) + '.' + std::to_string(CAF_MINOR_VERSION) + '.'
         + std::to_string(CAF_PATCH_VERSION);
#endif
}

} // namespace dramaturg::compat
