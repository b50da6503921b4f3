// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/keys_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "admin/admin_tokens.hpp"
#include "config/redact.hpp"
#include "config/values.hpp"
#include "store/actor.hpp"
#include "store/await.hpp"
#include "store/open_store.hpp"
#include "store/store_keys.hpp"
#include "store/value_or_fail.hpp"

namespace petstore::program {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds longest = 24h * 3650;

/// Parses the value of a flag that is not a setting. The error names the flag.
template <class Parse>
auto value_of(std::string_view flag, std::string const& text, Parse parse) {
  try {
    return parse(text);
  } catch (value_error const& wrong) {
    throw usage_error(fmt::format("--{}: `{}` {}", flag, text, wrong.what()));
  }
}

/// Returns the base URL of a service with this configuration.
std::string url_of(settings const& values) {
  bool const staging = values.service.environment == environment::staging;
  auto const& named = staging ? values.staging_base_url : values.base_url;
  auto const scheme = values.tls.certificates.empty() ? "http://" : "https://";
  return named.value_or(scheme + to_text(values.listen) + values.service.base_path);
}

auto duration_from(std::chrono::milliseconds min) {
  return [min](std::string_view text) { return parse_duration(text, min, longest); };
}

}  // namespace

CLI::App* keys_line::add(CLI::App& keys, char const* name, char const* help, action act) {
  auto* const command = keys.add_subcommand(name, help);
  command->callback([this, act = std::move(act)] { chosen_ = act; });
  return command;
}

void keys_line::add_key_id(CLI::App* command) {
  command->add_option("ID", id_, "The key's id, such as k17")->required();
}

void keys_line::add_plan(CLI::App* command) {
  command->add_option("--plan", plan_, "free, pro, business, enterprise or a plan of the file")
      ->required()
      ->envname("PETSTORE_PLAN")
      ->type_name("PLAN");
  command->add_option("--per-minute", per_minute_, "Requests a minute, in place of the plan's short window")
      ->envname("PETSTORE_PER_MINUTE")
      ->type_name("N");
  command->add_option("--per-day", per_day_, "Requests a day, in place of the plan's long window")
      ->envname("PETSTORE_PER_DAY")
      ->type_name("N");
}

void keys_line::add_usage(CLI::App* command) {
  command
      ->add_flag("--usage", usage_,
                 "Also the used quotas: from the disk beside an lmdb: store, or from the Redis that --quota names")
      ->envname("PETSTORE_USAGE");
}

std::optional<key_usage> keys_line::usage_wanted(loaded_settings const& loaded, unix_ms now) const {
  if (!usage_) return std::nullopt;
  if (!store_) throw usage_error("--usage reads beside the store or from Redis: name the store with --store");
  auto const& values = loaded.values;
  auto const identities = value_or_fail(await(store_->read_keys()), "the keys cannot be read").identities;
  if (values.quota.redis)
    return key_usage{read_shared_usage(loaded, store_->environment(), identities, now), values.plans};
  if (!values.store->traits().has_directory)
    throw usage_error("--usage: nodes count these quotas in Redis: name it as they do, with --quota redis://…");
  return key_usage{read_usage(values.store->directory, identities).value_or(kept_usage{{}, now}), values.plans};
}

void keys_line::add_json(CLI::App* command) {
  command->add_flag("--json", json_, "Print JSON")->envname("PETSTORE_JSON");
}

/// The first key may be made before the first start of a server, so this command creates a store if there is none. It
/// checks the rest of the command line before.
CLI::App* keys_line::add_create(CLI::App& keys) {
  auto* const create = keys.add_subcommand("create", "Make a key and print it, once");
  create->callback([this] {
    open_ = [this](loaded_settings const& loaded, ports::report_function report) {
      check_plan(loaded.values.plans, chosen_options().plan);
      check_name(name_);
      bool const is_new = has_no_store_yet(loaded);
      auto store = open_store_to_fill(loaded, std::move(report));
      // Otherwise a user who names the wrong directory by mistake would notice it only when the key gets 401.
      if (is_new && out_.err_is_terminal)
        out_.err << "There was no store in " << loaded.values.store->directory.string() << "; now there is.\n";
      return store;
    };
    chosen_ = [this](key_service& service, loaded_settings const& loaded, caller const& who) {
      // The base URL of another machine's server is not known here.
      create_key_command(service, chosen_options(), who, store_ ? url_of(loaded.values) : "", json_, out_);
    };
  });
  add_plan(create);
  create->add_option("--name", name_, "Who the key is for")->envname("PETSTORE_NAME");
  create->add_option("--scope", scope_, "read, or write, which includes read [write]")
      ->envname("PETSTORE_SCOPE")
      ->type_name("SCOPE");
  create->add_option("--expires", expires_, "How long the key works, such as 90d; else for ever")
      ->envname("PETSTORE_EXPIRES")
      ->type_name("DURATION");
  add_json(create);
  return create;
}

CLI::App* keys_line::add_daily_usage(CLI::App& keys) {
  auto* const usage =
      add(keys, "usage", "A line for each day (UTC): date, admitted requests, refused ones; up to a minute ago",
          [this](auto& service, auto&, auto& who) {
            auto const form = json_ ? usage_form::json : csv_ ? usage_form::csv : usage_form::cells;
            usage_command(service, number(), chosen_period(who.now), form, out_);
          });
  add_key_id(usage);
  usage->add_option("--from", from_, "The first day, such as 2026-11-25 [29 days before the last]")
      ->envname("PETSTORE_FROM")
      ->type_name("DATE");
  usage->add_option("--to", to_, "The last day [today]")->envname("PETSTORE_TO")->type_name("DATE");
  auto* const csv = usage->add_flag("--csv", csv_, "Print CSV")->envname("PETSTORE_CSV");
  add_json(usage);
  csv->excludes("--json");
  return usage;
}

void keys_line::add_to(CLI::App& app) {
  auto* const keys =
      app.add_subcommand("keys", "Make, look at and change API keys; a running server follows within a second");
  keys->require_subcommand(1);
  keys_ = keys;

  auto* const create = add_create(*keys);

  auto* const rotate = add(*keys, "rotate", "Make a second key of the same identity; the old one ends after the grace",
                           [this](auto& service, auto&, auto& who) {
                             auto const grace = value_of("grace", grace_, duration_from(0ms));
                             rotate_key_command(service, number(), grace, who, json_, out_);
                           });
  add_key_id(rotate);
  rotate->add_option("--grace", grace_, "How long the old key goes on working [24h]")
      ->envname("PETSTORE_GRACE")
      ->type_name("DURATION");
  add_json(rotate);

  auto* const revoke = add(*keys, "revoke", "End a key now", [this](auto& service, auto&, auto& who) {
    revoke_key_command(service, number(), who, out_);
  });
  add_key_id(revoke);

  auto* const ban =
      add(*keys, "ban", "Answer 429 to every key of the identity for a while", [this](auto& service, auto&, auto& who) {
        auto const length = value_of("for", ban_for_, duration_from(1s));
        ban_command(service, number(), length, who, out_);
      });
  add_key_id(ban);
  ban->add_option("--for", ban_for_, "How long [1h]")->envname("PETSTORE_FOR")->type_name("DURATION");

  auto* const unban = add(*keys, "unban", "End a ban, whether by an operator or for strikes",
                          [this](auto& service, auto&, auto& who) { unban_command(service, number(), who, out_); });
  add_key_id(unban);

  auto* const reset_quota =
      add(*keys, "reset-quota", "Make the quotas of the identity whole again; ends a ban for strikes",
          [this](auto& service, auto&, auto& who) { reset_quota_command(service, number(), who, out_); });
  add_key_id(reset_quota);

  auto* const set_plan =
      add(*keys, "set-plan", "Give the identity another plan; what was used stays used",
          [this](auto& service, auto&, auto& who) { set_plan_command(service, number(), chosen_plan(), who, out_); });
  add_key_id(set_plan);
  add_plan(set_plan);

  auto* const list = add(*keys, "list", "A line for each key: id, name, plan, scope, key in part, created, state",
                         [this](auto& service, auto& loaded, auto& who) {
                           auto const used = usage_wanted(loaded, who.now);
                           list_keys_command(service, who.now, json_, out_, used ? &*used : nullptr);
                         });
  add_json(list);
  add_usage(list);

  auto* const show =
      add(*keys, "show", "Everything about one key but the key itself", [this](auto& service, auto& loaded, auto& who) {
        auto const used = usage_wanted(loaded, who.now);
        show_key_command(service, number(), who.now, json_, out_, used ? &*used : nullptr);
      });
  add_usage(show);
  add_key_id(show);
  add_json(show);

  add_daily_usage(*keys);

  auto* const audit = add(*keys, "audit", "The log of every change of a key: when, who, what",
                          [this](auto& service, auto&, auto&) { audit_command(service, json_, out_); });
  add_json(audit);

  for (auto* const command : keys->get_subcommands({})) {
    command
        ->add_option("--admin-url", admin_url_,
                     "A running server to ask, such as http://127.0.0.1:9090, instead of a store")
        ->envname("PETSTORE_ADMIN_URL")
        ->type_name("URL");
    if (command == list || command == show) {
      flags_.add_some(*command, {"store", "admin-token-file", "quota"});
    } else if (command == create) {
      flags_.add_some(*command, {"store", "admin-token-file", "environment"});
    } else {
      flags_.add_some(*command, {"store", "admin-token-file"});
    }
  }
}

exit_code keys_line::run() {
  auto const loaded = load_settings(flags_.sources());
  auto const report = [this](std::string_view event, std::string_view detail) {
    out_.err << "petstore: " << event << ": " << redact_secrets(detail) << '\n';
  };
  caller const who{operating_system_user(),
                   std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now())};
  bool const has_store_flag = loaded.source_of("store") == "--store";
  if (has_store_flag && has_url_flag())
    throw usage_error("--store and --admin-url both say where the keys are: give one of them");
  // A variable or a file may name the store for other commands.
  if (!admin_url_.empty() && !has_store_flag) {
    auto keys = open_remote(loaded);
    chosen_(keys, loaded, who);
  } else {
    auto const store = open_(loaded, report);
    store_ = store.get();
    store_keys keys(*store, loaded.values.plans);
    chosen_(keys, loaded, who);
  }
  return exit_code::fine;
}

/// Whether the URL is on the command line, and not in a variable.
bool keys_line::has_url_flag() const {
  auto const& given = keys_->get_subcommands().front()->parse_order();
  return std::ranges::any_of(given, [](auto const* option) { return option->check_name("--admin-url"); });
}

remote_keys keys_line::open_remote(loaded_settings const& loaded) const {
  auto const& file = loaded.values.admin_token_file;
  if (file.empty()) throw usage_error("--admin-url needs a token: give its file with --admin-token-file");
  try {
    return remote_keys(admin_client(admin_url_, read_first_token(file)));
  } catch (value_error const& wrong) {
    throw config_error(
        {fmt::format("admin-token-file: `{}` {} (from {})", file, wrong.what(), loaded.source_of("admin-token-file"))});
  }
}

plan_choice keys_line::chosen_plan() const {
  plan_choice choice{plan_, std::nullopt, std::nullopt};
  if (!per_minute_.empty()) {
    choice.per_minute = value_of("per-minute", per_minute_, [](std::string_view text) {
      return parse_integer_as<std::uint32_t>(text, 1, limits::short_tokens_max);
    });
  }
  if (!per_day_.empty()) {
    choice.per_day = value_of("per-day", per_day_, [](std::string_view text) {
      return parse_integer_as<std::uint64_t>(text, 1, static_cast<std::int64_t>(limits::long_tokens_max));
    });
  }
  return choice;
}

usage_period keys_line::chosen_period(unix_ms now) const {
  auto const date = [](std::string_view flag, std::string const& text) {
    auto const day = text.empty() ? std::nullopt : parse_date(text);
    if (!text.empty() && !day) throw usage_error(fmt::format("--{}: `{}` is no date such as 2026-11-25", flag, text));
    return day;
  };
  auto const period = make_period(date("from", from_), date("to", to_), std::chrono::floor<std::chrono::days>(now));
  if (!period) throw usage_error(period.error().message);
  return *period;
}

create_options keys_line::chosen_options() const {
  create_options options;
  options.plan = chosen_plan();
  options.name = name_;
  options.scope = value_of("scope", scope_, [](std::string_view text) { return parse_enumerator<key_scope>(text); });
  if (!expires_.empty()) options.expires_in = value_of("expires", expires_, duration_from(1s));
  return options;
}

}  // namespace petstore::program
