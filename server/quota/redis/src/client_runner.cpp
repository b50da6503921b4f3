// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "client_runner.hpp"

#include <boost/asio/dispatch.hpp>
#include <utility>

#include "petstore/quota/redis.hpp"
#include "scripts.hpp"

namespace petstore::quota {
namespace {

/// Whether a failure says nothing of the other masters of a cluster: the one of the key is not connected or does not
/// answer, or the slot has none. A cluster that is down as a whole refuses the calls of every slot.
bool is_of_one_server(redis::failure const& failed, std::size_t connected_servers) {
  switch (failed.code) {
    case redis::errc::not_connected: return connected_servers > 0;
    case redis::errc::refused: return failed.detail.starts_with("CLUSTERDOWN Hash slot not served");
    case redis::errc::server_error: return false;
    default: return connected_servers > 1;
  }
}

script_answer answer_of(redis::result<redis::reply> const& got, std::size_t connected_servers) {
  if (!got) {
    auto const code = got.error().code;
    bool const has_not_run = redis::is_surely_not_executed(code);
    bool const is_error = code == redis::errc::server_error || code == redis::errc::refused;
    return script_failure{has_not_run ? script_outcome::not_run : script_outcome::unknown,
                          redis::to_string(got.error()), is_error, is_of_one_server(got.error(), connected_servers)};
  }
  if (!got->is_array()) return script_failure{script_outcome::unknown, "the script answered no array"};
  script_integers numbers;
  numbers.reserve(got->elements.size());
  for (redis::reply const& element : got->elements) {
    if (!element.is_integer()) return script_failure{script_outcome::unknown, "the script answered no integers"};
    numbers.push_back(element.integer);
  }
  return numbers;
}

}  // namespace

client_runner::client_runner(asio::any_io_executor executor, std::shared_ptr<redis::client> client,
                             redis::client_options options, std::shared_ptr<server_check> check)
    : executor_(std::move(executor)),
      client_(std::move(client)),
      options_(std::move(options)),
      check_(std::move(check)),
      acquire_(std::string(acquire_script)),
      heartbeat_(std::string(heartbeat_script)) {}

client_runner::~client_runner() {
  subscriber_.reset();
  asio::dispatch(executor_, [check = check_] { check->stop(); });
  client_->close();
}

void client_runner::listen(std::string channel, std::function<void(std::string_view payload)> hear) {
  auto pass_on = [hear = std::move(hear), check = check_](redis::subscription_event const& event) {
    using kind = redis::subscription_event::kind;
    if (event.what == kind::message) hear(event.payload);
    if (event.what == kind::refused) check->recalls_refused(event.payload);
  };
  subscriber_ = std::make_unique<redis::subscriber>(executor_, options_, std::move(channel), std::move(pass_on));
}

void client_runner::tell(ports::shared_quota_figures& out) const {
  auto const c = client_->counters();
  out.connections_made = c.connections;
  out.connections_lost = c.connections_lost;
  out.redirections = c.redirections;
  out.scripts_sent_whole = c.scripts_sent_whole;
}

asio::awaitable<script_answer> client_runner::run(script_name name, std::vector<std::string> keys,
                                                  std::vector<std::string> arguments,
                                                  std::chrono::steady_clock::time_point deadline) {
  redis::script const& known = name == script_name::acquire ? acquire_ : heartbeat_;
  auto const got = co_await client_->run_script(known, std::move(keys), std::move(arguments), deadline);
  script_answer answer = answer_of(got, client_->connected_servers());
  co_return answer;
}

}  // namespace petstore::quota
