// Broker (spec/broker.md). Definitions stand in the order of the model.
#include "micro/broker.hpp"

#include "lead.hpp"

#include <utility>
#include <vector>

namespace dramaturg {

namespace {

struct broker_actors {
  employer_handle employer;
  router_handle router;
  std::vector<employee_handle> employees;
};

/// Answers each request with a task, as long as there are any (BROKER-1). Nobody else is told
/// the salt.
class employer : public lead<employer_handle> {
public:
  employer(pointer self, environment_ptr environment, std::shared_ptr<const broker_actors> actors,
           std::uint32_t tasks, std::uint32_t size)
      : lead{self, std::move(environment), make_name(v2::ACTOR_CLASS_EMPLOYER)},
        actors_{std::move(actors)}, tasks_{tasks}, size_{size} {}

  behavior_type make_behavior() {
    return {on<&employer::request>{this}, on<&employer::start>{this},
            on<&employer::disconnect>{this}};
  }

private:
  void start(const to_employer::start& m) {
    salt_ = m.salt;
    for (const auto& employee : actors_->employees)
      send(employee, to_employee::go{name()});
  }

  void request(const to_employer::request& m) {
    if (m.result > 0) {
      ++results_;
      sum_ += m.checksum;
    }
    if (given_ < tasks_) {
      send(actors_->router,
           to_router::task{name(), m.employee, given_, make_payload(salt_, given_, size_)});
      ++given_;
    } else if (++waiting_ == actors_->employees.size()) {
      done(results_, sum_);
    }
  }

  void disconnect(const to_employer::disconnect&) {
    for (std::uint32_t employee = 0; employee < actors_->employees.size(); ++employee)
      send(actors_->router, to_router::dismiss{name(), employee});
    terminate();
  }

  std::shared_ptr<const broker_actors> actors_;
  std::uint32_t tasks_;
  std::uint32_t size_;
  std::uint32_t salt_ = 0;
  std::uint32_t given_ = 0;
  std::uint64_t results_ = 0;
  std::uint32_t sum_ = 0;
  std::size_t waiting_ = 0;
};

/// Passes everything on (BROKER-2).
class router : public actor_state<router_handle> {
public:
  router(pointer self, environment_ptr environment, std::shared_ptr<const broker_actors> actors,
         std::uint32_t employees)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_ROUTER)},
        actors_{std::move(actors)}, employed_{employees} {}

  behavior_type make_behavior() {
    return {on<&router::request>{this}, on<&router::task>{this}, on<&router::dismiss>{this}};
  }

private:
  void request(const to_router::request& m) {
    send(actors_->employer, to_employer::request{name(), index_of(m.from), m.result, m.checksum});
  }

  void task(to_router::task& m) {
    send(actors_->employees[m.employee], to_employee::task{name(), m.number, std::move(m.payload)});
  }

  void dismiss(const to_router::dismiss& m) {
    send(actors_->employees[m.employee], to_employee::dismiss{name()});
    if (--employed_ == 0)
      terminate();
  }

  std::shared_ptr<const broker_actors> actors_;
  std::uint32_t employed_;
};

/// Reads every byte of each payload, and asks for the next (BROKER-3).
class employee : public actor_state<employee_handle> {
public:
  employee(pointer self, environment_ptr environment, std::uint32_t index,
           std::shared_ptr<const broker_actors> actors)
      : actor_state{self, std::move(environment), make_name(v2::ACTOR_CLASS_EMPLOYEE, index)},
        actors_{std::move(actors)} {}

  behavior_type make_behavior() {
    return {on<&employee::task>{this}, on<&employee::go>{this}, on<&employee::dismiss>{this}};
  }

private:
  void go(const to_employee::go&) { send(actors_->router, to_router::request{name(), 0, 0}); }

  void task(const to_employee::task& m) {
    const auto found = result_of(m.payload, m.number);
    send(actors_->router, to_router::request{name(), std::uint64_t{m.number} + 1, found});
  }

  void dismiss(const to_employee::dismiss&) { terminate(); }

  std::shared_ptr<const broker_actors> actors_;
};

class broker final : public benchmark {
public:
  explicit broker(const v2::BrokerParameters& parameters) : parameters_{parameters} {}

  void set_up(const spawner& spawner, inbox&) override {
    const auto& p = parameters_;
    if (spawner.here().node == 0) {
      actors_->employer = spawner.spawn<employer>(actors_, p.tasks(), p.size());
      actors_->router = spawner.spawn<router>(actors_, p.employees());
    }
    actors_->employees.resize(p.employees());
    const auto [first, step] = share::of_the_rest(spawner.here());
    for (auto index = first; index < p.employees(); index += step)
      actors_->employees[index] = spawner.spawn<employee>(index, actors_);
  }

  void start(inbox& inbox, std::uint32_t salt) override {
    inbox.send(actors_->employer, to_employer::start{control_name, salt});
  }

  void disconnect(inbox& inbox) override {
    inbox.send(actors_->employer, to_employer::disconnect{control_name});
  }

  [[nodiscard]] residents who_is_here() const override {
    return {actors_->router, actors_->employees};
  }

  void introduce(const residents& all) override { all.tell(actors_->router, actors_->employees); }

private:
  v2::BrokerParameters parameters_;
  std::shared_ptr<broker_actors> actors_ = std::make_shared<broker_actors>();
};

} // namespace

std::unique_ptr<benchmark> make_benchmark(const v2::BrokerParameters& parameters) {
  return std::make_unique<broker>(parameters);
}

} // namespace dramaturg
