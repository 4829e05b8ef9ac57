// Broker (spec/broker.md). Definitions stand in the order of the model.
#include "broker.hpp"

#include <numeric>
#include <utility>

namespace dramaturg {

namespace {

bytes make_payload(std::uint32_t number, std::uint32_t size) {
  bytes payload(size);
  std::iota(payload.begin(), payload.end(), static_cast<std::uint8_t>(number));
  return payload;
}

} // namespace

// -- employer ----------------------------------------------------------------

employer::employer(pointer self, cast_ptr<broker_cast> cast, const broker_parameters& parameters,
                   scene_ptr scene)
    : lead{self, make_name(v1::ACTOR_CLASS_EMPLOYER), std::move(scene)}, cast_{std::move(cast)},
      parameters_{parameters}, employed_{parameters.employees} {}

employer::behavior_type employer::make_behavior() {
  return {on<&employer::request>{this}, on<&employer::start>{this}};
}

void employer::start(const to_employer::start&) {
  begin();
  for (const auto& employee : cast_->employees)
    send(employee, to_employee::go{name()});
}

void employer::request(const to_employer::request& m) {
  const auto& p = parameters_;
  if (m.result > 0) {
    ++results_;
    checksum_sum_ += m.checksum;
  }
  if (given_ < p.tasks) {
    send(cast_->router, to_router::task{name(), m.employee, given_, make_payload(given_, p.size)});
    ++given_;
    return;
  }
  send(cast_->router, to_router::dismiss{name(), m.employee});
  if (--employed_ == 0)
    done(results_, checksum_sum_, 0);
}

// -- router ------------------------------------------------------------------

router::router(pointer self, cast_ptr<broker_cast> cast, std::uint32_t employees, scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_ROUTER), std::move(scene)},
      cast_{std::move(cast)}, employed_{employees} {}

router::behavior_type router::make_behavior() {
  return {on<&router::request>{this}, on<&router::task>{this}, on<&router::dismiss>{this}};
}

void router::request(const to_router::request& m) {
  send(cast_->employer, to_employer::request{name(), index_of(m.from), m.result, m.checksum});
}

void router::task(to_router::task& m) {
  send(cast_->employees[m.employee], to_employee::task{name(), m.number, std::move(m.payload)});
}

void router::dismiss(const to_router::dismiss& m) {
  send(cast_->employees[m.employee], to_employee::dismiss{name()});
  if (--employed_ == 0)
    terminate();
}

// -- employee ----------------------------------------------------------------

employee::employee(pointer self, std::uint32_t index, cast_ptr<broker_cast> cast, scene_ptr scene)
    : actor_state{self, make_name(v1::ACTOR_CLASS_EMPLOYEE, index), std::move(scene)},
      cast_{std::move(cast)} {}

employee::behavior_type employee::make_behavior() {
  return {on<&employee::task>{this}, on<&employee::go>{this}, on<&employee::dismiss>{this}};
}

void employee::go(const to_employee::go&) {
  send(cast_->router, to_router::request{name(), 0, 0});
}

void employee::task(const to_employee::task& m) {
  send(cast_->router, to_router::request{name(), std::uint64_t{m.number} + 1, checksum(m.payload)});
}

void employee::dismiss(const to_employee::dismiss&) {
  terminate();
}

// -- play --------------------------------------------------------------------

namespace {

class broker_play final : public play {
public:
  explicit broker_play(const v1::BrokerParameters& p)
      : parameters_{p.employees(), p.tasks(), p.size()} {}

  void enter(stage& stage, place) override {
    const auto& p = parameters_;
    cast_->employer = stage.enter<employer>(cast_, p);
    cast_->router = stage.enter<router>(cast_, p.employees);
    for (std::uint32_t index = 0; index < p.employees; ++index)
      cast_->employees.push_back(stage.enter<employee>(index, cast_));
  }

  void start(inbox& inbox) override {
    inbox.send(cast_->employer, to_employer::start{control_name});
  }

  void write(v1::Receipt& receipt, const totals& report,
             const std::vector<to_control::window>&) const override {
    receipt.mutable_broker()->set_results(report.result);
    receipt.mutable_broker()->set_checksum_sum(report.check);
  }

private:
  broker_parameters parameters_;
  std::shared_ptr<broker_cast> cast_ = std::make_shared<broker_cast>();
};

} // namespace

std::unique_ptr<play> make_play(const v1::BrokerParameters& parameters) {
  return std::make_unique<broker_play>(parameters);
}

} // namespace dramaturg
