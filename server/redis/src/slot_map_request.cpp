// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "slot_map_request.hpp"

#include <utility>

#include "channel.hpp"

namespace petstore::redis {

asio::awaitable<result<std::vector<slot_range>>> ask_for_slot_map(std::shared_ptr<channel> line, node from,
                                                                  std::chrono::steady_clock::time_point deadline) {
  auto asking = line->ask({"CLUSTER", "SLOTS"}, deadline);
  result<reply> const answer = co_await std::move(asking);
  if (!answer) co_return answer.error();
  if (answer->is_error()) co_return failure{errc::refused, answer->text};
  auto map = read_slot_map(*answer, from);
  if (map && map->empty()) co_return failure{errc::refused, "No slot has a master."};
  co_return map;
}

}  // namespace petstore::redis
