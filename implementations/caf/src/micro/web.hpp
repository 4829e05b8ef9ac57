#pragma once

#include "play.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace dramaturg {

namespace to_dispatcher {

struct start : message<v1::MESSAGE_KIND_DISPATCHER_START> {
  auto fields() { return std::tie(); }
};

struct request : message<v1::MESSAGE_KIND_DISPATCHER_REQUEST> {
  std::uint32_t number;
  [[nodiscard]] auto args() const { return arguments(number); }
  auto fields() { return std::tie(number); }
};

struct idle : message<v1::MESSAGE_KIND_DISPATCHER_IDLE> {
  auto fields() { return std::tie(); }
};

struct finished : message<v1::MESSAGE_KIND_DISPATCHER_FINISHED> {
  std::uint64_t answers;
  std::uint64_t sum;
  [[nodiscard]] auto args() const { return arguments(answers, sum); }
  auto fields() { return std::tie(answers, sum); }
};

} // namespace to_dispatcher

namespace to_worker {

struct work : message<v1::MESSAGE_KIND_WORKER_WORK> {
  std::uint32_t browser;
  std::uint32_t number;
  [[nodiscard]] auto args() const { return arguments(browser, number); }
};

struct stop : message<v1::MESSAGE_KIND_WORKER_STOP> {};

} // namespace to_worker

namespace to_browser {

struct go : message<v1::MESSAGE_KIND_BROWSER_GO> {
  auto fields() { return std::tie(); }
};

struct answer : message<v1::MESSAGE_KIND_BROWSER_ANSWER> {
  std::uint32_t number;
  std::uint64_t value;
  [[nodiscard]] auto args() const { return arguments(number, value); }
  auto fields() { return std::tie(number, value); }
};

} // namespace to_browser

struct web_cast {
  dispatcher_handle dispatcher;
  std::vector<worker_handle> workers;
  std::vector<browser_handle> browsers;
};

/// Keeps the order of waiting requests and of idle workers (WEB-1).
class dispatcher : public lead<dispatcher_handle> {
public:
  dispatcher(pointer self, cast_ptr<web_cast> cast, std::uint32_t workers, std::uint32_t browsers,
             scene_ptr scene);

  behavior_type make_behavior();

private:
  struct waiting_request {
    std::uint32_t browser;
    std::uint32_t number;
  };

  void start(const to_dispatcher::start& m);
  void request(const to_dispatcher::request& m);
  void idle(const to_dispatcher::idle& m);
  void finished(const to_dispatcher::finished& m);

  void assign();
  void end_when_done();

  cast_ptr<web_cast> cast_;
  std::deque<std::uint32_t> idle_workers_;
  std::deque<waiting_request> waiting_;
  std::uint32_t browsing_;
  std::uint64_t answers_ = 0;
  std::uint64_t sum_ = 0;
  std::vector<bool> is_used_; // by worker
  std::uint64_t used_ = 0;
};

/// Computes, answers the browser, and is idle again (WEB-2).
class worker : public actor_state<worker_handle> {
public:
  worker(pointer self, std::uint32_t index, cast_ptr<web_cast> cast, std::uint32_t fib_n,
         scene_ptr scene);

  behavior_type make_behavior();

private:
  void work(const to_worker::work& m);
  void stop(const to_worker::stop& m);

  cast_ptr<web_cast> cast_;
  std::uint32_t fib_n_;
};

/// Asks, waits for the answer, asks again (WEB-3).
class browser : public actor_state<browser_handle> {
public:
  browser(pointer self, std::uint32_t index, cast_ptr<web_cast> cast, std::uint32_t requests,
          scene_ptr scene);

  behavior_type make_behavior();

private:
  void go(const to_browser::go& m);
  void answer(const to_browser::answer& m);

  cast_ptr<web_cast> cast_;
  std::uint32_t requests_;
  std::uint32_t answers_ = 0;
  std::uint64_t sum_ = 0;
};

std::unique_ptr<play> make_play(const v1::WebParameters& parameters);

} // namespace dramaturg
