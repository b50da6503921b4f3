// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <string_view>
#include <utility>

#include "completion.hpp"
#include "core.hpp"
#include "parsing.hpp"

/// Asks a server about itself. The server may forbid any of the questions.
namespace petstore::redis {
namespace {

/// Finds a value in the answer to INFO, which has lines `name:value`.
std::string value_in(std::string_view info, std::string_view name) {
  while (!info.empty()) {
    auto line = info.substr(0, info.find('\n'));
    info.remove_prefix(std::min(line.size() + 1, info.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with(name) && line.substr(name.size()).starts_with(':')) {
      return std::string{line.substr(name.size() + 1)};
    }
  }
  return {};
}

/// Returns the value in the answer to CONFIG GET, which is a name and a value.
std::string second_of(result<reply> const& answer) {
  return answer && answer->elements.size() == 2 ? answer->elements[1].text : std::string{};
}

}  // namespace

asio::awaitable<result<reply>> client::core::ask(std::shared_ptr<link> whom, std::vector<std::string> words,
                                                 time_point deadline) {
  auto one = std::make_unique<call>();
  one->words = std::move(words);
  one->deadline = deadline;
  auto begin = [whom = std::move(whom), self = shared_from_this()](std::unique_ptr<call> begun) {
    self->count(calls);
    whom->send(std::move(begun));
  };
  return await_call(std::move(one), std::move(begin));
}

asio::awaitable<inspection> client::core::inspect_one(std::shared_ptr<link> whom, time_point deadline) {
  inspection found;
  found.where = to_string(whom->peer());
  auto asking = ask(whom, {"INFO"}, deadline);
  result<reply> answer = co_await std::move(asking);
  if (answer) {
    found.version = value_in(answer->text, "redis_version");
    found.role = value_in(answer->text, "role");
    found.maxmemory_policy = value_in(answer->text, "maxmemory_policy");
    found.evicted_keys = parse_number<std::uint64_t>(value_in(answer->text, "evicted_keys"), ~std::uint64_t{0});
  }
  for (auto const& [name, target] :
       {std::pair{"appendonly", &found.appendonly}, std::pair{"appendfsync", &found.appendfsync}}) {
    asking = ask(whom, {"CONFIG", "GET", name}, deadline);
    answer = co_await std::move(asking);
    *target = second_of(answer);
  }
  co_return found;
}

asio::awaitable<result<std::vector<inspection>>> client::core::inspect(std::shared_ptr<core>, time_point deadline) {
  std::vector<inspection> all;
  auto const asked = masters();
  for (auto const& one : asked) {
    if (!one->is_up()) co_return failure{errc::not_connected, last_failure_};
    auto asking = inspect_one(one, deadline);
    inspection found = co_await std::move(asking);
    // The answers are missing if the connection ended or the time is over.
    if (!one->is_up()) co_return failure{errc::connection_lost, last_failure_};
    if (std::chrono::steady_clock::now() >= deadline) co_return failure{errc::timed_out, {}};
    all.push_back(std::move(found));
  }
  if (all.empty()) co_return failure{errc::not_connected, last_failure_};
  co_return all;
}

}  // namespace petstore::redis
