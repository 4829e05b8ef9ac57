#include "trace.hpp"

#include <utility>

namespace dramaturg {

namespace {

// TRACE: at most 65,536 rows and less than 4 MiB. A row without its arguments
// takes at most 23 bytes, an argument at most 10.
constexpr int max_rows = 65'536;
constexpr int max_args = 200'000;

bool is_full(const v1::TraceBatch& batch) {
  return batch.actor_size() >= max_rows || batch.args_size() >= max_args;
}

} // namespace

std::string spell(name_t name) {
  const auto number = static_cast<int>(name >> 56);
  const auto* value = v1::ActorClass_descriptor()->FindValueByNumber(number);
  const auto label = value ? value->options().GetExtension(v1::label) : std::to_string(number);
  if (number == v1::ACTOR_CLASS_CONTROL)
    return label;
  const auto second = name & 0xFFFFFF;
  const auto first = label + '/' + std::to_string(index_of(name));
  return number == v1::ACTOR_CLASS_CHAT ? first + '.' + std::to_string(second) : first;
}

std::uint64_t receive_log::drain(const std::function<void(v1::TraceBatch&)>& deliver) {
  std::uint64_t events = 0;
  v1::TraceBatch batch;
  for (auto& shard : shards_) {
    std::vector<row> rows;
    std::vector<std::uint64_t> args;
    {
      const std::lock_guard guard{shard.mutex};
      rows.swap(shard.rows);
      args.swap(shard.args);
    }
    auto next_arg = args.cbegin();
    for (const auto& row : rows) {
      batch.add_actor(row.actor);
      batch.add_seq(row.seq);
      batch.add_sender(row.sender);
      batch.add_kind(row.kind);
      batch.mutable_args()->Add(next_arg, next_arg + row.arity);
      next_arg += row.arity;
      if (is_full(batch)) {
        deliver(batch);
        batch.Clear();
      }
    }
    events += rows.size();
  }
  if (batch.actor_size() > 0)
    deliver(batch);
  return events;
}

} // namespace dramaturg
