// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cli/setting_flags.hpp"
#include "store/keys.hpp"
#include "store/open_store.hpp"
#include "store/remote_keys.hpp"

namespace petstore::program {

/// The command line of `petstore keys …`: which flags each subcommand takes and what they mean. Each works on a store
/// or, with `--admin-url`, on the administration API of a running server.
class keys_line {
 public:
  keys_line(variables const& environment, streams out) : flags_(environment), out_(out) {}

  void add_to(CLI::App&);
  /// Runs the subcommand that was parsed.
  exit_code run();

 private:
  using action = std::function<void(key_service&, loaded_settings const&, caller const&)>;
  using opener = std::function<std::unique_ptr<ports::store>(loaded_settings const&, ports::report_function)>;

  CLI::App* add(CLI::App& keys, char const* name, char const* help, action);
  CLI::App* add_create(CLI::App& keys);
  void add_key_id(CLI::App*);
  void add_plan(CLI::App*);
  void add_json(CLI::App*);
  void add_usage(CLI::App*);
  CLI::App* add_daily_usage(CLI::App& keys);
  std::optional<key_usage> usage_wanted(loaded_settings const&, unix_ms now) const;
  bool has_url_flag() const;
  remote_keys open_remote(loaded_settings const&) const;

  std::uint64_t number() const { return parse_key_id(id_); }
  plan_choice chosen_plan() const;
  create_options chosen_options() const;
  usage_period chosen_period(unix_ms now) const;

  setting_flags flags_;
  CLI::App const* keys_ = nullptr;  ///< the command that the others belong to
  streams const out_;
  opener open_ = open_existing_store;
  action chosen_;
  ports::store* store_ = nullptr;  ///< of the command that runs; nullptr: it asks a server

  std::string admin_url_;
  std::string id_;
  std::string plan_;
  std::string name_;
  std::string per_minute_;
  std::string per_day_;
  std::string scope_ = "write";
  std::string expires_;
  std::string grace_ = "24h";
  std::string ban_for_ = "1h";
  std::string from_;
  std::string to_;
  bool csv_ = false;
  bool json_ = false;
  bool usage_ = false;
};

}  // namespace petstore::program
