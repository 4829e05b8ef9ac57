#include "chatapp/messages.hpp"
#include "chatapp/poker.hpp"

namespace dramaturg {

namespace {

/// ChatApp as the control port sees it. Only the poker is there from the beginning.
class chatapp final : public benchmark {
public:
  explicit chatapp(const v2::ChatAppParameters& parameters) : parameters_{parameters} {}

  void set_up(const spawner& spawner, inbox& inbox) override {
    poker_ = spawner.spawn<poker>(parameters_);
    inbox.send(poker_, to_poker::prepare{control_name});
    inbox.await<to_control::ready>();
  }

  void start(inbox& inbox, std::uint32_t salt) override {
    inbox.send(poker_, to_poker::run{control_name, salt});
  }

  void disconnect(inbox& inbox) override { inbox.send(poker_, to_poker::disconnect{control_name}); }

  void act(inbox& inbox, const v2::ActRequest& r) override {
    inbox.send(poker_, to_poker::act{control_name, r.client(), r.choice(), r.index(), r.k()});
  }

  void turn(inbox& inbox) override { inbox.send(poker_, to_poker::turn{control_name}); }

private:
  chatapp_parameters parameters_;
  poker_handle poker_;
};

} // namespace

std::unique_ptr<benchmark> make_benchmark(const v2::ChatAppParameters& parameters) {
  return std::make_unique<chatapp>(parameters);
}

} // namespace dramaturg
