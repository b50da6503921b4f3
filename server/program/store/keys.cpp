// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/keys.hpp"

#include <fmt/format.h>

#include <utility>

#include "petstore/json.hpp"
#include "petstore/json_object.hpp"
#include "petstore/key_trace.hpp"
#include "store/await.hpp"

namespace petstore::program {
namespace {

/// Runs one change. If the store refuses it, the command fails.
key_change change(ports::store& store, key_command command, caller const& who) {
  auto done = await(store.change_keys(std::move(command), who.now, who.actor));
  if (done) return std::move(*done);
  auto const& fault = done.error();
  std::string message = fault.message.empty() ? std::string(describe(fault.code).message) : fault.message;
  if (!fault.cause.empty()) message += " (" + fault.cause + ")";
  if (fault.code == errc::invalid_request) throw usage_error(message);
  throw command_error(message);
}

void print_new_key(std::string const& key, key_record const& record, bool json, streams out) {
  auto const id = fmt::format("k{}", record.number);
  if (json) {
    std::string line;
    json_object{line}.add("id", id).add("key", key).close();
    out.out << line << '\n';
  } else {
    out.out << key << '\n' << std::flush;
    out.err << id << '\n';
  }
}

}  // namespace

bool is_plan(plan_table const& plans, std::string_view name) {
  return name == "enterprise" || plans.contains(name);
}

std::string names_of(plan_table const& plans) {
  std::string names = "enterprise";
  for (auto const& [name, plan] : plans) names += name == "enterprise" ? "" : ", " + name;
  return names;
}

void check_plan(plan_table const& plans, plan_choice const& choice) {
  if (choice.plan == "enterprise") {
    if (choice.per_minute && choice.per_day) return;
    throw usage_error("--plan enterprise has no numbers of its own: give --per-minute and --per-day");
  }
  if (!is_plan(plans, choice.plan))
    throw usage_error(fmt::format("--plan: `{}` is none of {}", choice.plan, names_of(plans)));
}

std::uint64_t parse_key_id(std::string_view text) {
  auto const number = text.starts_with('k') ? parse_int64(text.substr(1)) : std::nullopt;
  if (!number || *number < 1) throw usage_error(fmt::format("`{}` is not the id of a key such as k17", text));
  return static_cast<std::uint64_t>(*number);
}

void create_key_command(ports::store& store, plan_table const& plans, create_options const& options, caller const& who,
                        std::string_view url, bool json, streams out) {
  check_plan(plans, options.plan);
  if (auto const fault = find_name_fault(options.name); !options.name.empty() && !fault.empty()) {
    throw usage_error(fmt::format("--name: {}", fault));
  }
  // Every list of keys would show it, and the audit log would keep it.
  if (mentions_api_key(options.name)) throw usage_error("--name: looks like an API key");
  auto const key = generate_api_key(store.environment());
  create_key command;
  set_key(command, key);
  command.name = options.name;
  command.plan = options.plan.plan;
  command.per_minute = options.plan.per_minute;
  command.per_day = options.plan.per_day;
  command.scope = options.scope;
  if (options.expires_in) command.expires_at = who.now + *options.expires_in;

  auto const done = change(store, std::move(command), who);
  print_new_key(key, done.added.value(), json, out);
  if (!json && out.err_is_terminal) {
    out.err << (options.scope == key_scope::write
                    ? "The key may read and change whatever is in the shop; with --scope read it may only read.\n"
                    : "The key may read whatever is in the shop.\n")
            << "Keep the key: it is not shown again. With it in the variable KEY, and the service running:\n"
            << "  curl -H \"Authorization: Bearer $KEY\" " << url << "/pets\n";
  }
}

void rotate_key_command(ports::store& store, std::uint64_t number, std::chrono::milliseconds grace, caller const& who,
                        bool json, streams out) {
  auto const key = generate_api_key(store.environment());
  rotate_key command;
  command.number = number;
  set_key(command, key);
  command.old_expires_at = who.now + grace;

  auto const done = change(store, std::move(command), who);
  print_new_key(key, done.added.value(), json, out);
}

void revoke_key_command(ports::store& store, std::uint64_t number, caller const& who, streams out) {
  change(store, revoke_key{number}, who);
  out.out << fmt::format("k{} is revoked\n", number);
}

void ban_command(ports::store& store, std::uint64_t number, std::chrono::milliseconds duration, caller const& who,
                 streams out) {
  auto const until = who.now + duration;
  change(store, ban_identity{number, until}, who);
  out.out << fmt::format("k{} and all keys of its identity are banned until {}\n", number, to_rfc3339(until));
}

void unban_command(ports::store& store, std::uint64_t number, caller const& who, streams out) {
  change(store, unban_identity{number}, who);
  out.out << fmt::format("k{} and all keys of its identity are not banned any more\n", number);
}

void set_plan_command(ports::store& store, plan_table const& plans, std::uint64_t number, plan_choice const& choice,
                      caller const& who, streams out) {
  check_plan(plans, choice);
  change(store, set_plan{number, choice.plan, choice.per_minute, choice.per_day}, who);
  out.out << fmt::format("k{} and all keys of its identity have the plan {}\n", number, choice.plan);
}

}  // namespace petstore::program
