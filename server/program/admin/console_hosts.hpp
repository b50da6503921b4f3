// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace petstore::program {

/// The host names under which the console may be opened. With DNS rebinding, a page of another site makes its own name
/// resolve to the console's address, and the operator's browser then takes the console for a part of that site. But the
/// browser still sends the name of that site as Host, so this check refuses the request. Immutable; any thread.
class console_hosts {
 public:
  /// Allows `names`, localhost, and every numeric address.
  explicit console_hosts(std::vector<std::string> names = {}) : names_{std::move(names)} {}

  /// Whether the value of a Host field, with or without a port, is one of them. An empty value is: only programs leave
  /// the field out (HTTP/1.0), and the check is for browsers.
  bool has(std::string_view host_field) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace petstore::program
