// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "announcement.hpp"

#include "parsing.hpp"

namespace petstore::redis {

std::optional<node> read_announcement(std::string_view message, std::string_view master_name) {
  // A master's name may contain any bytes, also spaces.
  if (!message.starts_with(master_name)) return {};
  message.remove_prefix(master_name.size());
  if (!take_until(message, ' ').empty()) return {};
  take_until(message, ' ');
  take_until(message, ' ');
  auto const host = take_until(message, ' ');
  auto const port = parse_port(take_until(message, ' '));
  if (host.empty() || !port) return {};
  return node{std::string{host}, *port};
}

}  // namespace petstore::redis
