#include "control/log.hpp"

#include <utility>

namespace dramaturg {

namespace {

// TRACE-3: at most 65,536 rows and less than 4 MiB. A row without its arguments takes
// at most 19 bytes, an argument at most 10.
constexpr int max_rows = 65'536;
constexpr int max_arguments = 250'000;

} // namespace

std::string spell(name_t name) {
  const auto* value = v2::ActorClass_descriptor()->FindValueByNumber(class_of(name));
  const auto spelled =
      value->options().GetExtension(v2::label) + '/' + std::to_string(index_of(name));
  const auto second = name & 0xFFFFFF;
  return class_of(name) == v2::ACTOR_CLASS_CHAT ? spelled + '.' + std::to_string(second) : spelled;
}

watched_actor& receive_log::add(name_t actor, const watch& watch) {
  const std::lock_guard guard{mutex_};
  return actors_.emplace_back(actor, watch, shards_[index_of(actor) % shards_.size()]);
}

std::vector<std::pair<name_t, std::uint64_t>> receive_log::counts() {
  const std::lock_guard guard{mutex_};
  std::vector<std::pair<name_t, std::uint64_t>> counts;
  counts.reserve(actors_.size());
  for (const auto& actor : actors_)
    counts.emplace_back(actor.name(), actor.taken());
  return counts;
}

void receive_log::drain(const std::function<void(const v2::TraceResponse&)>& deliver) {
  v2::TraceResponse response;
  std::uint64_t events = 0;
  const auto pass_on = [&] {
    deliver(response);
    response.Clear();
  };
  for (auto& shard : shards_) {
    std::vector<log_shard::row> rows;
    std::vector<std::uint64_t> arguments;
    {
      const std::lock_guard guard{shard.mutex};
      rows.swap(shard.rows);
      arguments.swap(shard.arguments);
    }
    auto next = arguments.cbegin();
    for (const auto& row : rows) {
      auto& batch = *response.mutable_batch();
      batch.add_actor(row.actor);
      batch.add_sender(row.sender);
      batch.add_kind(row.kind);
      batch.mutable_args()->Add(next, next + row.arity);
      next += row.arity;
      if (batch.actor_size() >= max_rows || batch.args_size() >= max_arguments)
        pass_on();
    }
    events += rows.size();
  }
  if (response.has_batch())
    pass_on();
  const auto counts = this->counts();
  for (const auto& [actor, taken] : counts) {
    response.mutable_counts()->add_actor(actor);
    response.mutable_counts()->add_taken(taken);
    if (response.counts().actor_size() >= max_rows)
      pass_on();
  }
  if (response.has_counts())
    pass_on();
  response.mutable_footer()->set_events(events);
  response.mutable_footer()->set_watched(counts.size());
  deliver(response);
}

} // namespace dramaturg
