#pragma once

#include "handles.hpp"
#include "name.hpp"

#include <tuple>
#include <type_traits>

namespace dramaturg {

/// What each message of the specification carries: its sender's name, and arguments,
/// of which a message has none unless it says so itself. What else it carries,
/// handles and payloads, is not logged: what has more than its arguments, and crosses a
/// network, says by `sent` what that is.
template <v2::MessageKind Kind>
struct message {
  static constexpr auto kind = Kind;
  name_t from;
  [[nodiscard]] auto arguments() const { return std::tie(); }
};

template <class Message>
auto sent_of(const Message& m, int) -> decltype(m.sent()) {
  return m.sent();
}

template <class Message>
auto sent_of(const Message& m, long) -> decltype(m.arguments()) {
  return m.arguments();
}

template <class Arguments>
struct are_references : std::false_type {};

template <class... Fields>
struct are_references<std::tuple<const Fields&...>> : std::true_type {};

/// Shows CAF a message that crosses a network: one of which what is sent are its fields.
template <class Inspector, class Message>
auto inspect(Inspector& inspector, Message& m)
    -> std::enable_if_t<are_references<decltype(sent_of(m, 0))>::value,
                        decltype(compat::inspect_fields(inspector, m))> {
  // The message is not constant, only the view of its fields is.
  const auto show = [&](const auto&... fields) {
    return compat::inspect_fields(inspector, m, m.from,
                                  const_cast<std::decay_t<decltype(fields)>&>(fields)...);
  };
  return std::apply(show, sent_of(m, 0));
}

} // namespace dramaturg
