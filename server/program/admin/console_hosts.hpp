// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace petstore::program {

/// The names under which the console is opened. A page of another site can give its own name the console's address, by
/// DNS rebinding, and is then the console's own page as far as the operator's browser knows; what it cannot do is to
/// have the browser send another name than its own as Host. Immutable; any thread.
class console_hosts {
 public:
  /// `names` beside localhost and every address in numbers.
  explicit console_hosts(std::vector<std::string> names = {}) : names_{std::move(names)} {}

  /// Whether that value of a Host field, with a port or without, is one of them. An empty one is: only programs leave
  /// the field away, with HTTP/1.0, and browsers are what must not be deceived.
  bool has(std::string_view host_field) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace petstore::program
