// Bang (spec/bang.md). Definitions stand in the order of the model.
#include "micro/bang.hpp"

#include "fold.hpp"
#include "lead.hpp"

#include <vector>

namespace dramaturg {

namespace {

struct bang_actors {
  receiver_handle receiver;
  std::vector<sender_handle> senders;
};

/// Starts the senders, answers them, waits until all have had their answers (BANG-1,
/// BANG-5).
class receiver : public windowed_lead<receiver_handle, to_receiver::tick> {
public:
  receiver(pointer self, environment_ptr environment, std::shared_ptr<const bang_actors> actors,
           std::uint32_t senders, window_parameters windows)
      : windowed_lead{self, std::move(environment), make_name(v2::ACTOR_CLASS_RECEIVER), windows},
        actors_{std::move(actors)}, sending_{senders} {}

  behavior_type make_behavior() {
    return {on<&receiver::bang>{this}, on<&receiver::start>{this}, on<&receiver::tick>{this},
            on<&receiver::finished>{this}};
  }

private:
  void start(const to_receiver::start& m) {
    salt_ = m.salt;
    open_windows();
    tell_all(to_sender::go{name(), salt_});
  }

  void bang(const to_receiver::bang& m) {
    const auto answer = fold(m.value, salt_);
    ++bangs_;
    given_ += answer;
    send(sender<sender_handle>(), to_sender::answer{name(), m.number, answer});
  }

  void tick(const to_receiver::tick& m) {
    const auto is_last = !next(m.number);
    report(m.number, since(bangs_));
    if (is_last)
      tell_all(to_sender::stop{name()});
  }

  void finished(const to_receiver::finished& m) {
    answers_ += m.answers;
    taken_ += m.taken;
    if (--sending_ > 0)
      return;
    done(bangs_, answers_, given_, taken_);
    terminate();
  }

  template <class Message>
  void tell_all(const Message& message) {
    for (const auto& sender : actors_->senders)
      send(sender, message);
  }

  std::shared_ptr<const bang_actors> actors_;
  std::uint32_t salt_ = 0;
  std::uint32_t sending_;
  std::uint64_t bangs_ = 0;
  std::uint64_t answers_ = 0;
  std::uint32_t given_ = 0;
  std::uint32_t taken_ = 0;
};

/// Sends everything without waiting, then counts the answers (BANG-2, BANG-6).
class sender : public actor_state<sender_handle> {
public:
  sender(pointer self, environment_ptr environment, std::uint32_t index,
         std::shared_ptr<const bang_actors> actors, std::uint32_t messages, bool windowed)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_SENDER, index)},
        actors_{std::move(actors)}, messages_{messages}, banging_{windowed} {}

  behavior_type make_behavior() {
    return {on<&sender::answer>{this}, on<&sender::go>{this}, on<&sender::stop>{this}};
  }

private:
  void go(const to_sender::go& m) {
    digest_ = fold(m.salt, index());
    for (std::uint32_t i = 0; i < messages_; ++i)
      bang();
  }

  void answer(const to_sender::answer& m) {
    ++answers_;
    taken_ += m.value;
    if (banging_)
      bang();
    end_when_done();
  }

  void stop(const to_sender::stop&) {
    banging_ = false;
    end_when_done();
  }

  void bang() {
    const auto value = fold(digest_, static_cast<std::uint32_t>(sent_));
    send(actors_->receiver, to_receiver::bang{name(), sent_++, value});
  }

  void end_when_done() {
    if (banging_ || answers_ < sent_)
      return;
    send(actors_->receiver, to_receiver::finished{name(), answers_, taken_});
    terminate();
  }

  std::shared_ptr<const bang_actors> actors_;
  std::uint32_t messages_;
  std::uint32_t digest_ = 0; // where its messages' values begin
  std::uint64_t sent_ = 0;
  std::uint64_t answers_ = 0;
  std::uint32_t taken_ = 0;
  bool banging_;
};

class bang final : public benchmark {
public:
  explicit bang(const v2::BangParameters& parameters) : parameters_{parameters} {}

  void set_up(const spawner& spawner, inbox&) override {
    const auto& p = parameters_;
    if (spawner.here().node == 0)
      actors_->receiver = spawner.spawn<receiver>(actors_, p.senders(), window_parameters{p});
    actors_->senders.resize(p.senders());
    const auto [first, step] = share::of_the_rest(spawner.here());
    for (auto index = first; index < p.senders(); index += step)
      actors_->senders[index] =
          spawner.spawn<sender>(index, actors_, p.messages(), p.windows() > 0);
  }

  void start(inbox& inbox, std::uint32_t salt) override {
    inbox.send(actors_->receiver, to_receiver::start{control_name, salt});
  }

  [[nodiscard]] residents who_is_here() const override {
    return {actors_->receiver, actors_->senders};
  }

  void introduce(const residents& all) override { all.tell(actors_->receiver, actors_->senders); }

private:
  v2::BangParameters parameters_;
  std::shared_ptr<bang_actors> actors_ = std::make_shared<bang_actors>();
};

} // namespace

std::unique_ptr<benchmark> make_benchmark(const v2::BangParameters& parameters) {
  return std::make_unique<bang>(parameters);
}

} // namespace dramaturg
