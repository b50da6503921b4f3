// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "access/client_address.hpp"

#include "access/forwarded.hpp"
#include "http/field.hpp"

namespace petstore::server {

raw_address find_client_address(request const& req, service_options const& options) noexcept {
  raw_address client = req.peer;
  auto const& trusted = options.trusted_proxies;
  bool const is_forwarded = options.forwarded_by == forwarding_field::forwarded;
  auto const field = is_forwarded ? known_field::forwarded : known_field::x_forwarded_for;
  auto const take_last = is_forwarded ? take_last_of_forwarded : take_last_of_list;
  auto const parse = is_forwarded ? parse_forwarded_for : parse_node;

  if (!is_in_any(trusted, client) || req.count(field) == 0) return client;
  for (auto line = req.fields.rbegin(); line != req.fields.rend(); ++line) {
    if (!equals_ignoring_case(line->name, name_of(field))) continue;
    for (std::string_view rest = line->value; !rest.empty();) {
      auto const element = take_last(rest);
      if (element.empty()) continue;  // RFC 9110, 5.6.1.2: a list may have empty elements
      auto const address = parse(element);
      if (!address) return client;
      client = *address;
      if (!is_in_any(trusted, client)) return client;
    }
  }
  return client;
}

}  // namespace petstore::server
