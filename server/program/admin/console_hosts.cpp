// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/console_hosts.hpp"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/asio/ip/address.hpp>
#include <locale>

namespace petstore::program {
namespace {

/// Removes the port, and the dot that may end a name.
std::string_view name_in(std::string_view host_field) {
  if (host_field.starts_with('[')) {
    auto const end = host_field.find(']');
    return end == std::string_view::npos ? host_field : host_field.substr(1, end - 1);
  }
  auto name = host_field.substr(0, host_field.find(':'));
  if (name.ends_with('.')) name.remove_suffix(1);
  return name;
}

bool is_address(std::string_view text) {
  boost::system::error_code failure;
  boost::asio::ip::make_address(text, failure);
  return !failure;
}

}  // namespace

bool console_hosts::has(std::string_view host_field) const {
  if (host_field.empty()) return true;
  auto const name = name_in(host_field);
  auto const is_it = [name](std::string_view known) {
    return boost::algorithm::iequals(known, name, std::locale::classic());
  };
  return is_it("localhost") || is_address(name) || std::ranges::any_of(names_, is_it);
}

}  // namespace petstore::program
