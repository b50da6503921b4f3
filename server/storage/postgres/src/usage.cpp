// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "usage.hpp"

#include <algorithm>
#include <limits>

#include "reads.hpp"
#include "session.hpp"

namespace petstore::storage::postgres {
namespace {

std::int64_t to_number(std::chrono::sys_days day) {
  return day.time_since_epoch().count();
}

std::int64_t to_number(std::uint64_t n) {
  return static_cast<std::int64_t>(std::min(n, std::uint64_t{std::numeric_limits<std::int64_t>::max()}));
}

std::uint64_t count_in(rows const& found, int row, int column) {
  return static_cast<std::uint64_t>(found.number(row, column));
}

}  // namespace

asio::awaitable<result<void>> add_usage(connection_group& l, ports::usage_batch batch) {
  array_text keys, days, admitted, refused, last_uses;
  for (auto const& row : batch.rows) {
    keys.add(to_number(row.key));
    days.add(to_number(row.day));
    admitted.add(to_number(row.admitted));
    refused.add(to_number(row.refused));
    last_uses.add(row.last_used.time_since_epoch().count());
  }
  auto values = parameters::of(std::string_view{batch.token.data(), batch.token.size()});
  for (auto const* array : {&keys, &days, &admitted, &refused, &last_uses}) values.add(array->to_text());
  auto adding = l.read(statement::add_usage, std::move(values));
  reply answer = co_await std::move(adding);
  auto const added = rows_of(std::move(answer));
  if (!added) co_return added.error();
  co_return result<void>{};
}

asio::awaitable<result<std::vector<ports::usage_of_day>>> read_usage(connection_group& l, std::uint64_t key,
                                                                     std::chrono::sys_days first,
                                                                     std::chrono::sys_days last) {
  auto asking = l.read(statement::read_usage, parameters::of(to_number(key), to_number(first), to_number(last)));
  reply answer = co_await std::move(asking);
  auto const found = rows_of(std::move(answer));
  if (!found) co_return found.error();
  std::vector<ports::usage_of_day> usage;
  for (int i = 0; i < found->count(); ++i) {
    std::chrono::sys_days const day{std::chrono::days{found->number(i, 0)}};
    usage.push_back({.day = day, .admitted = count_in(*found, i, 1), .refused = count_in(*found, i, 2)});
  }
  co_return usage;
}

asio::awaitable<result<std::vector<ports::last_use>>> read_last_uses(connection_group& l, std::uint64_t first_key,
                                                                     std::uint64_t last_key) {
  auto asking = l.read(statement::read_last_uses, parameters::of(to_number(first_key), to_number(last_key)));
  reply answer = co_await std::move(asking);
  auto const found = rows_of(std::move(answer));
  if (!found) co_return found.error();
  std::vector<ports::last_use> uses;
  for (int i = 0; i < found->count(); ++i)
    uses.push_back({.key = count_in(*found, i, 0), .at = unix_ms{std::chrono::milliseconds{found->number(i, 1)}}});
  co_return uses;
}

}  // namespace petstore::storage::postgres
