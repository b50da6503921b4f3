// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "petstore/key_registry.hpp"
#include "petstore/server/listener.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/service.hpp"

namespace petstore::program {

/// Where the data is: `lmdb:DIR`, or `memory:` for a shop that is gone with the process.
struct store_address {
  enum class kind : std::uint8_t { lmdb, memory };
  store_address::kind kind = kind::memory;
  std::filesystem::path directory;  ///< of lmdb

  friend bool operator==(store_address const&, store_address const&) = default;
};

/// Where log lines and access lines go.
struct log_settings {
  std::string file;  ///< empty: standard error
  server::severity level = server::severity::info;
  std::string access = "log";  ///< `off`, `stderr`, `log` (where the log goes) or a file

  friend bool operator==(log_settings const&, log_settings const&) = default;
};

/// Everything that can be configured, checked.
struct settings {
  boost::asio::ip::tcp::endpoint listen;
  boost::asio::ip::tcp::endpoint admin_listen;
  std::optional<std::string> base_url;  ///< nullopt: the listening address
  std::optional<std::string> staging_base_url;

  std::optional<store_address> store;  ///< nullopt: not set
  std::uint64_t store_bytes_max = 0;
  bool demo = false;

  std::size_t threads = 0;  ///< 0: one for each processor
  std::size_t connections_max = 0;
  server::connection_limits connections;
  std::chrono::milliseconds drain_delay{};
  std::chrono::milliseconds drain_timeout{};

  server::service_options service;  ///< its base addresses are filled in once the port is known
  std::size_t anonymous_addresses_max = 0;
  plan_table plans;
  limits::ban_policy bans;

  log_settings log;
};

/// One row of the table of settings. Flag, variable and key of the file follow from it.
struct setting {
  std::string_view group;      ///< heading in the help and the manual
  std::string_view name;       ///< the flag is `--` + name
  std::string_view file_key;   ///< dotted path in the TOML file
  std::string_view kind;       ///< what to write: DURATION, BYTES, …; empty for a yes-or-no setting
  std::string_view otherwise;  ///< the value, as it would be written, when nobody sets it
  std::string_view help;
  bool is_list;  ///< the file may give an array; flag and variable separate by commas
  void (*assign)(settings&, std::string_view text);  ///< throws value_error

  bool is_flag() const noexcept { return kind.empty(); }
  std::string variable() const;  ///< PETSTORE_HEADER_TIMEOUT
};

/// The table: everything that reads, shows or documents settings goes by it.
std::span<setting const> all_settings();
setting const* find_setting_by_file_key(std::string_view);

/// The plans when the file names none: the numbers of the contract. Enterprise has no numbers of its own.
plan_table standard_plans();

}  // namespace petstore::program
