// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "outcome.hpp"
#include "petstore/key_registry.hpp"
#include "store/key_service.hpp"
#include "store/usage.hpp"

/// The subcommands of `petstore keys …`, each on the keys of a store or of a running server. A key itself is printed
/// only once, when it is made. Each throws usage_error or command_error.
namespace petstore::program {

/// The plan of a key, with the numbers that replace the plan's.
struct plan_choice {
  std::string plan;
  std::optional<std::uint32_t> per_minute;
  std::optional<std::uint64_t> per_day;
};

struct create_options {
  plan_choice plan;
  std::string name;
  key_scope scope = key_scope::write;
  std::optional<std::chrono::milliseconds> expires_in;
};

/// Returns the number in an id such as `k17`. Throws usage_error.
std::uint64_t parse_key_id(std::string_view);

/// Whether a key may have a plan of that name, and the names of all such plans. `enterprise` needs no row in the table.
bool is_plan(plan_table const&, std::string_view name);
std::string names_of(plan_table const&);

/// Throws usage_error for a plan that is not configured and for an enterprise plan without its numbers.
void check_plan(plan_table const&, plan_choice const&);
/// Throws usage_error if a key may not have that name.
void check_name(std::string const&);

/// Prints the key on `out` and its id on `err`, or, as JSON, both on `out`. On a terminal it also says how to use the
/// key. `url` is the base URL of the service; empty: not known. Both commands throw command_error if `out` has failed,
/// and make no key then, or if the key cannot be written.
void create_key_command(key_service&, create_options const&, caller const&, std::string_view url, bool json, streams);
void rotate_key_command(key_service&, std::uint64_t number, std::chrono::milliseconds grace, caller const&, bool json,
                        streams);

void revoke_key_command(key_service&, std::uint64_t number, caller const&, streams);
void ban_command(key_service&, std::uint64_t number, std::chrono::milliseconds duration, caller const&, streams);
void unban_command(key_service&, std::uint64_t number, caller const&, streams);
void reset_quota_command(key_service&, std::uint64_t number, caller const&, streams);
void set_plan_command(key_service&, std::uint64_t number, plan_choice const&, caller const&, streams);

/// Prints a line for each key: id, name, plan, scope, the visible part of the key, creation, state. On a terminal the
/// lines are aligned under a headline; otherwise there are tabs between the cells. With usage, it also prints how much
/// of the quota of each window is used.
void list_keys_command(key_service&, unix_ms now, bool json, streams, key_usage const* = nullptr);
void show_key_command(key_service&, std::uint64_t number, unix_ms now, bool json, streams, key_usage const* = nullptr);
/// The form in which usage is printed: cells as in the list of keys, JSON, or CSV.
enum class usage_form : std::uint8_t { cells, json, csv };
/// Prints a line for each day: date, admitted requests, refused ones.
void usage_command(key_service&, std::uint64_t number, usage_period, usage_form, streams);
/// Prints a line for each change of a key: time, actor, action, id, what was done.
void audit_command(key_service&, bool json, streams);

}  // namespace petstore::program
