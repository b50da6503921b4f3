// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace petstore::storage::postgres {

/// One server of the URI. Its name is empty for libpq's default, the local socket.
struct host {
  std::string name;
  std::string address;  ///< numeric, when it is known: libpq then resolves nothing
  std::string port;
};

/// What a URI says, as libpq's parameters, with what we want where it says nothing. Immutable.
class address {
 public:
  /// Throws open_error.
  explicit address(std::string_view uri);

  std::vector<host> const& hosts() const noexcept { return hosts_; }

  /// For libpq's connect functions, with these hosts. Good for as long as the object is.
  struct keywords {
    std::vector<std::string> names;
    std::vector<std::string> values;
    std::vector<char const*> name_pointers;
    std::vector<char const*> value_pointers;
  };
  keywords to_keywords(std::vector<host> const&) const;

  /// Hosts, ports and database: no password, no user.
  std::string to_text() const;

 private:
  struct setting {
    std::string name;
    std::string value;
  };
  bool has(std::string_view name) const noexcept;
  void require_sound(std::vector<std::string> const& ports) const;

  std::vector<setting> settings_;  ///< without the hosts
  std::vector<host> hosts_;
  std::string database_;
};

/// Whether nothing has to be resolved: a numeric address, a directory of sockets, or libpq's default.
bool needs_no_resolution(host const&);

}  // namespace petstore::storage::postgres
