// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "server_check.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <exception>
#include <utility>
#include <vector>

#include "petstore/asio/as_result.hpp"

namespace petstore::quota {
namespace {

/// How long one look waits for a connection, and for answers.
constexpr std::chrono::seconds look_max{2};

}  // namespace

server_check::server_check(asio::any_io_executor executor, std::string channel, ports::report_function report)
    : channel_(std::move(channel)), report_(std::move(report)), timer_(std::move(executor)) {}

void server_check::start(std::weak_ptr<redis::client> client) {
  client_ = std::move(client);
  asio::awaitable<void> looking = keep_looking(shared_from_this());
  asio::co_spawn(timer_.get_executor(), std::move(looking), asio::detached);
}

asio::awaitable<void> server_check::keep_looking(std::shared_ptr<server_check>) {
  while (!is_stopped_) {
    try {
      auto looking = look();
      co_await std::move(looking);
    } catch (std::exception const&) {  // no memory: the next look may find some
      is_due_ = false;
    }
    if (is_stopped_) break;
    if (is_due_) continue;
    timer_.expires_after(interval);
    co_await timer_.async_wait(as_result);
  }
}

asio::awaitable<void> server_check::look() {
  auto const client = client_.lock();
  if (!client) co_return stop();
  auto const deadline = std::chrono::steady_clock::now() + look_max;
  auto connecting = client->wait_until_connected(deadline);
  auto const connected = co_await std::move(connecting);
  is_due_ = false;
  if (!connected) co_return;
  auto inspecting = client->inspect(deadline);
  auto const servers = co_await std::move(inspecting);
  if (servers)
    for (redis::inspection const& server : *servers) check(server);
  std::vector<std::string> no_recall{"PUBLISH", channel_, ""};
  auto publishing = client->command(std::move(no_recall), {}, deadline);
  auto const published = co_await std::move(publishing);
  if (!published && published.error().code == redis::errc::refused) recalls_refused(published.error().detail);
}

void server_check::check(redis::inspection const& server) {
  if (!server.maxmemory_policy.empty() && server.maxmemory_policy != "noeviction")
    warn("quota_redis_evicts", server.where + " has maxmemory-policy " + server.maxmemory_policy +
                                   ": when memory is short, it forgets what was used; set noeviction");
  if (server.appendonly == "no")
    warn("quota_redis_not_kept", server.where + " has appendonly no: a restart forgets what was used and every ban");
  if (server.evicted_keys) note_evictions(server.where, *server.evicted_keys);
}

void server_check::note_evictions(std::string const& where, std::uint64_t keys) {
  auto const [known, is_first] = evicted_.try_emplace(where, keys);
  auto const before = std::exchange(known->second, keys);
  if (is_first || keys <= before) return;
  report_("quota_redis_evicted", where + " has evicted " + std::to_string(keys - before) +
                                     " keys: each node may grant these quotas once more; give it more memory, and set "
                                     "maxmemory-policy noeviction");
}

void server_check::recalls_refused(std::string const& why) {
  constexpr std::string_view event = "quota_redis_recalls_refused";
  if (!told_.insert(std::string{event}).second) return;
  report_(event, why +
                     " Nodes cannot ask each other for unused tokens, so a refusal may be early by a second: let the "
                     "user PUBLISH and PSUBSCRIBE, and give it the channel " +
                     channel_ + ".");
}

void server_check::warn(std::string_view event, std::string const& detail) {
  if (told_.insert(detail).second) report_(event, detail);
}

void server_check::look_soon() {
  is_due_ = true;
  timer_.cancel();
}

void server_check::stop() {
  is_stopped_ = true;
  timer_.cancel();
}

}  // namespace petstore::quota
