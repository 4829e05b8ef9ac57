#include "chatapp/client.hpp"
#include "chatapp/directory.hpp"
#include "chatapp/messages.hpp"
#include "chatapp/poker.hpp"

#include <algorithm>

namespace dramaturg {

namespace {

/// ChatApp as the control port sees it. Only the poker is there from the beginning.
class chatapp final : public benchmark {
public:
  explicit chatapp(const v2::ChatAppParameters& parameters) : parameters_{parameters} {}

  void set_up(const spawner& spawner, inbox&) override {
    if (spawner.here().node == 0)
      poker_ = spawner.spawn<poker>(parameters_);
  }

  void prepare(inbox& inbox) override {
    inbox.send(poker_, to_poker::prepare{control_name});
    inbox.await<to_control::ready>();
  }

  void start(inbox& inbox, std::uint32_t salt) override {
    inbox.send(poker_, to_poker::run{control_name, salt});
  }

  void disconnect(inbox& inbox) override { inbox.send(poker_, to_poker::disconnect{control_name}); }

  void drive(inbox& inbox, const v2::ActRequest& r) override {
    inbox.send(poker_, to_poker::act{control_name, r.client(), r.choice(), r.index(), r.k()});
  }

  void drive(inbox& inbox, const v2::TurnRequest&) override {
    inbox.send(poker_, to_poker::turn{control_name});
  }

  // The poker has added them up in the order of the receipt's first fields.
  void enter(const to_control::done& result, v2::Receipt& receipt) const override {
    auto& chatapp = *receipt.mutable_chatapp();
    auto field = 0;
    for (const auto sum : result.arguments)
      chatapp.GetReflection()->SetUInt64(&chatapp, chatapp.GetDescriptor()->field(field++), sum);
  }

  void enter(const to_control::confirmed& turn, v2::Receipt& receipt) const override {
    const auto& [value, stops, announced, consumed] = turn.result;
    const auto place = static_cast<int>(turn.turn);
    auto& chatapp = *receipt.mutable_chatapp();
    auto& nanos = *chatapp.mutable_turn_nanos();
    nanos.Resize(std::max(nanos.size(), place + 1), 0);
    nanos.Set(place, stopwatch::nanos(turn.started, turn.stopped));
    chatapp.set_confirms(chatapp.confirms() + 1);
    chatapp.set_fib_sum(chatapp.fib_sum() + value);
    chatapp.set_stops(chatapp.stops() + stops);
    // Sums of digests have 32 bits.
    chatapp.set_announced(static_cast<std::uint32_t>(chatapp.announced()) + announced);
    chatapp.set_consumed(static_cast<std::uint32_t>(chatapp.consumed()) + consumed);
  }

  caf::strong_actor_ptr bear(const spawner& spawner, const to_registrar::birth& m) override {
    const auto index = index_of(m.name);
    if (class_of(m.name) == v2::ACTOR_CLASS_DIRECTORY)
      return caf::actor_cast<caf::strong_actor_ptr>(spawner.spawn<directory>(
          index, m.seed, caf::actor_cast<poker_handle>(m.maker), parameters_));
    return caf::actor_cast<caf::strong_actor_ptr>(spawner.spawn<client>(
        index, caf::actor_cast<directory_handle>(m.maker), m.seed, parameters_));
  }

  [[nodiscard]] bool is_mesh() const override { return true; }

private:
  chatapp_parameters parameters_;
  poker_handle poker_;
};

} // namespace

std::unique_ptr<benchmark> make_benchmark(const v2::ChatAppParameters& parameters) {
  return std::make_unique<chatapp>(parameters);
}

} // namespace dramaturg
