#include "name.hpp"

namespace dramaturg {

std::string spell(name_t name) {
  const auto* value = v2::ActorClass_descriptor()->FindValueByNumber(class_of(name));
  const auto spelled =
      value->options().GetExtension(v2::label) + '/' + std::to_string(index_of(name));
  const auto second = name & 0xFFFFFF;
  return class_of(name) == v2::ACTOR_CLASS_CHAT ? spelled + '.' + std::to_string(second) : spelled;
}

} // namespace dramaturg
