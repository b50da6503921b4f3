// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/describe/enum.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/store_address.hpp"
#include "config/webhook_address.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/server/listener.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/service.hpp"
#include "petstore/server/tls.hpp"

namespace petstore::program {

/// The decision on a request that needs Redis while Redis does not answer: petstore/quota/redis.hpp.
enum class quota_failure : std::uint8_t { degraded, closed, open };
BOOST_DESCRIBE_ENUM(quota_failure, degraded, closed, open)

/// The largest cost of an operation, in tokens.
inline constexpr std::int64_t cost_max = 1'000;

/// Where quotas are counted.
struct quota_settings {
  std::optional<std::string> redis;  ///< its address, which may contain a password; nullopt: only this process counts
  quota_failure on_failure = quota_failure::degraded;
  bool strict = false;
  std::chrono::milliseconds deadline{};
  std::uint32_t nodes_min = 1;  ///< the number of nodes that are expected to share the quotas
};

/// Where log lines and access lines go, and which of them are written.
struct log_settings {
  std::string file;  ///< empty or `stderr`: standard error; `stdout`: standard output
  server::severity level = server::severity::info;
  std::string access = "log";         ///< `off`, `stderr`, `stdout`, `log` (where the log goes) or a file
  std::uint32_t access_one_in = 1;    ///< one of this many usual access lines is written
  std::chrono::milliseconds slow{0};  ///< requests that take this long get a line in the log; 0: off

  friend bool operator==(log_settings const&, log_settings const&) = default;
};

/// All settings, parsed and checked.
struct settings {
  boost::asio::ip::tcp::endpoint listen;
  boost::asio::ip::tcp::endpoint admin_listen;
  std::string admin_token_file;                            ///< empty: nobody may use the administration API
  std::vector<std::string> admin_hosts;                    ///< further names under which the console may be opened
  bool expects_proxy_header = false;                       ///< on `listen`
  server::tls_files tls;                                   ///< of `listen`; without a certificate there is no TLS
  std::optional<std::uint32_t> tls_handshakes_per_minute;  ///< of an address; nullopt: 1,200, no limit for this machine
  std::optional<std::string> base_url;                     ///< nullopt: the listening address
  std::optional<std::string> staging_base_url;

  std::optional<store_address> store;  ///< nullopt: not set
  std::uint64_t store_bytes_max = 0;
  std::chrono::milliseconds write_wait_max{};
  std::size_t store_connections = 0;  ///< of each thread, to PostgreSQL
  quota_settings quota;
  bool demo = false;

  std::size_t threads = 0;  ///< 0: one for each processor
  std::size_t connections_max = 0;
  std::optional<std::size_t> connections_of_address_max;  ///< nullopt: a share of all, no limit for this machine
  server::connection_limits connections;
  std::chrono::milliseconds drain_delay{};
  std::chrono::milliseconds drain_timeout{};

  server::service_options service;  ///< its base URLs are filled in when the port is known
  std::size_t anonymous_addresses_max = 0;
  plan_table plans;
  limits::ban_policy bans;
  std::optional<webhook_address> webhook;  ///< nullopt: nobody is told when the quota of a long window runs out
  std::string webhook_secret_file;         ///< what signs the messages; empty without a webhook

  log_settings log;
};

/// One row of the table of settings. It defines the flag, the variable and the key in the file.
struct setting {
  std::string_view group;      ///< heading in the help and the manual
  std::string_view name;       ///< the flag is `--` + name
  std::string_view file_key;   ///< dotted path in the TOML file
  std::string_view kind;       ///< the kind of value: DURATION, BYTES, …; empty for a yes-or-no setting
  std::string_view otherwise;  ///< the default, as a user would write it
  std::string_view help;
  bool is_list;  ///< the file may have an array; flag and variable have commas between the parts
  void (*assign)(settings&, std::string_view text);  ///< throws value_error
  bool reloads = false;                              ///< SIGHUP applies a change; other settings need a restart

  bool is_flag() const noexcept { return kind.empty(); }
  std::string variable() const;  ///< PETSTORE_HEADER_TIMEOUT
};

/// The table of settings. All code that reads, shows or documents settings uses it.
std::span<setting const> all_settings();
setting const* find_setting_by_file_key(std::string_view);

/// The plans if the file defines none, with the numbers of the contract. Enterprise has no numbers of its own, so it is
/// not among them.
plan_table standard_plans();

}  // namespace petstore::program
