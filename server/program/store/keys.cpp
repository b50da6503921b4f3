// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/keys.hpp"

#include <fmt/format.h>

#include <csignal>
#include <utility>

#include "petstore/json.hpp"
#include "petstore/json_object.hpp"
#include "petstore/key_trace.hpp"

namespace petstore::program {
namespace {

void print_new_key(made_key const& made, bool json, streams out) {
  auto const id = key_id(made.number);
  if (json) {
    std::string line;
    json_object{line}.add("id", id).add("key", made.key).close();
    out.out << line << '\n' << std::flush;
  } else {
    out.out << made.key << '\n' << std::flush;
    out.err << id << '\n';
  }
}

/// Makes a key and prints it. Nobody can see the key later. So it is not made if standard output is closed, and the
/// command fails if the key cannot be written.
void make_and_print(key_service& keys, key_command command, caller const& who, bool json, streams out) {
  std::signal(SIGPIPE, SIG_IGN);  // who would read the key may be gone; that must be told
  if (!out.out) throw command_error("no key is made, because standard output is closed");
  auto const made = keys.make(std::move(command), who);
  print_new_key(made, json, out);
  if (!out.out)
    throw command_error(fmt::format(
        "k{0} is made, but standard output cannot be written, so nobody has the key: petstore keys revoke k{0} ends it",
        made.number));
}

}  // namespace

bool is_plan(plan_table const& plans, std::string_view name) {
  return name == enterprise_plan || plans.contains(name);
}

std::string names_of(plan_table const& plans) {
  std::string names{enterprise_plan};
  for (auto const& [name, plan] : plans) names += name == enterprise_plan ? "" : ", " + name;
  return names;
}

void check_plan(plan_table const& plans, plan_choice const& choice) {
  if (choice.plan == enterprise_plan) {
    if (choice.per_minute && choice.per_day) return;
    throw usage_error("--plan enterprise has no numbers of its own: give --per-minute and --per-day");
  }
  if (!is_plan(plans, choice.plan))
    throw usage_error(fmt::format("--plan: `{}` is none of {}", choice.plan, names_of(plans)));
}

std::uint64_t parse_key_id(std::string_view text) {
  if (auto const number = key_number(text)) return *number;
  throw usage_error(fmt::format("`{}` is not the id of a key such as k17", text));
}

void check_name(std::string const& name) {
  if (name.empty()) return;
  if (auto const fault = find_name_fault(name); !fault.empty()) throw usage_error(fmt::format("--name: {}", fault));
  // Every list of keys would show it, and the audit log would keep it.
  if (mentions_api_key(name)) throw usage_error("--name: looks like an API key");
}

void create_key_command(key_service& keys, create_options const& options, caller const& who, std::string_view url,
                        bool json, streams out) {
  check_name(options.name);
  create_key command;
  command.name = options.name;
  command.plan = options.plan.plan;
  command.per_minute = options.plan.per_minute;
  command.per_day = options.plan.per_day;
  command.scope = options.scope;
  if (options.expires_in) command.expires_at = who.now + *options.expires_in;

  make_and_print(keys, std::move(command), who, json, out);
  if (!json && out.err_is_terminal) {
    out.err << (options.scope == key_scope::write
                    ? "The key may read and change whatever is in the store; with --scope read it may only read.\n"
                    : "The key may read whatever is in the store.\n")
            << "Keep the key: it is not shown again.";
    if (!url.empty())
      out.err << " With it in the variable KEY, and the service running:\n"
              << "  curl -H \"Authorization: Bearer $KEY\" " << url << "/pets";
    out.err << '\n';
  }
}

void rotate_key_command(key_service& keys, std::uint64_t number, std::chrono::milliseconds grace, caller const& who,
                        bool json, streams out) {
  rotate_key command;
  command.number = number;
  command.old_expires_at = who.now + grace;
  make_and_print(keys, std::move(command), who, json, out);
}

void revoke_key_command(key_service& keys, std::uint64_t number, caller const& who, streams out) {
  keys.change(revoke_key{number}, who);
  out.out << fmt::format("k{} is revoked\n", number);
}

void ban_command(key_service& keys, std::uint64_t number, std::chrono::milliseconds duration, caller const& who,
                 streams out) {
  auto const until = who.now + duration;
  keys.change(ban_identity{number, until}, who);
  out.out << fmt::format("k{} and all keys of its identity are banned until {}\n", number, to_rfc3339(until));
}

void unban_command(key_service& keys, std::uint64_t number, caller const& who, streams out) {
  keys.change(unban_identity{number}, who);
  out.out << fmt::format("k{} and all keys of its identity are not banned any more\n", number);
}

void reset_quota_command(key_service& keys, std::uint64_t number, caller const& who, streams out) {
  keys.change(reset_quota{number}, who);
  out.out << fmt::format("the quotas of k{} and all keys of its identity are whole again\n", number);
}

void set_plan_command(key_service& keys, std::uint64_t number, plan_choice const& choice, caller const& who,
                      streams out) {
  keys.change(set_plan{number, choice.plan, choice.per_minute, choice.per_day}, who);
  out.out << fmt::format("k{} and all keys of its identity have the plan {}\n", number, choice.plan);
}

}  // namespace petstore::program
