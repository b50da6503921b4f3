// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace petstore::storage::postgres {

/// One server of the URI. An empty name means libpq's default, the local socket.
struct host {
  std::string name;
  std::string address;  ///< numeric, if known: libpq then resolves nothing
  std::string port;

  friend bool operator==(host const&, host const&) = default;
};

/// The contents of a URI as libpq's parameters, with our defaults for those it does not set. Immutable.
class address {
 public:
  /// Throws open_error.
  explicit address(std::string_view uri);

  std::vector<host> const& hosts() const noexcept { return hosts_; }

  /// Whether libpq asks all hosts a second time when none of them is a standby.
  bool prefers_standby() const noexcept;
  /// Whether only a server that takes writes will do.
  bool wants_writes() const noexcept;

  /// The arguments of libpq's connect functions, with these hosts. Valid as long as this object.
  struct keywords {
    std::vector<std::string> names;
    std::vector<std::string> values;
    std::vector<char const*> name_pointers;
    std::vector<char const*> value_pointers;
  };
  keywords to_keywords(std::vector<host> const&) const;

  /// Hosts, ports and database, without password and user.
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

/// Whether no name must be resolved: a numeric address, a directory of sockets, or libpq's default.
bool needs_no_resolution(host const&);

}  // namespace petstore::storage::postgres
