#include "control/log.hpp"

namespace dramaturg {

// TRACE-3: at most 65,536 rows and less than 4 MiB. A row without its arguments takes
// at most 19 bytes, an argument at most 10.
constexpr int max_rows = 65'536;
constexpr int max_arguments = 250'000;

void watched_actor::log(name_t sender, v2::MessageKind kind, const std::uint64_t* arguments,
                        int arity) {
  room_.take();
  const std::lock_guard guard{shard_.mutex};
  auto& batches = shard_.batches;
  if (batches.empty() || batches.back().actor_size() >= max_rows
      || batches.back().args_size() >= max_arguments)
    batches.emplace_back();
  auto& batch = batches.back();
  batch.add_actor(name_);
  batch.add_sender(sender);
  batch.add_kind(static_cast<std::uint32_t>(kind));
  batch.mutable_args()->Add(arguments, arguments + arity);
  count();
}

receive_log::receive_log(const v2::PrepareRequest& request) {
  for (const auto& watch : request.watches())
    for (std::size_t c = 0; c < watches_.size(); ++c)
      if (watch.class_() == 0 || watch.class_() == c)
        watches_[c].push_back(watch);
}

bool receive_log::fits(const v2::Watch& watch, std::uint32_t index) {
  return watch.first() <= index && index <= watch.last()
         && index % watch.modulus() == watch.remainder();
}

watched_actor& receive_log::add(name_t actor, const v2::Watch& watch) {
  const std::lock_guard guard{births_};
  return actors_.emplace_back(actor, watch, shards_[index_of(actor) % shards_.size()], room_);
}

void receive_log::limit(std::uint64_t events) {
  std::uint64_t held = 0;
  if (events == 0)
    return room_.limit(0, 0);
  for (auto& shard : shards_) {
    const std::lock_guard guard{shard.mutex};
    for (const auto& batch : shard.batches)
      held += static_cast<std::uint64_t>(batch.actor_size());
  }
  room_.limit(events, held);
}

void receive_log::drain(const std::function<void(const v2::TraceResponse&)>& deliver) {
  const auto was_limited = room_.is_limited(); // the run may end meanwhile
  v2::TraceFooter footer;
  for (auto& shard : shards_)
    for (auto& batch : shard.take()) {
      footer.set_events(footer.events() + static_cast<std::uint64_t>(batch.actor_size()));
      v2::TraceResponse response;
      response.mutable_batch()->Swap(&batch);
      deliver(response);
    }
  if (!was_limited)
    for (const auto& response : counts()) {
      footer.set_watched(footer.watched()
                         + static_cast<std::uint64_t>(response.counts().actor_size()));
      deliver(response);
    }
  v2::TraceResponse end;
  *end.mutable_footer() = footer;
  deliver(end);
  room_.delivered(footer.events());
}

std::vector<v2::TraceResponse> receive_log::counts() {
  std::vector<v2::TraceResponse> responses;
  const std::lock_guard guard{births_};
  for (const auto& actor : actors_) {
    if (responses.empty() || responses.back().counts().actor_size() == max_rows)
      responses.emplace_back();
    auto& counts = *responses.back().mutable_counts();
    counts.add_actor(actor.name());
    counts.add_taken(actor.taken());
  }
  return responses;
}

} // namespace dramaturg
