// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "open.hpp"

#include <algorithm>
#include <thread>

#include "faults.hpp"
#include "migrations.hpp"

namespace petstore::storage {
namespace postgres {
namespace {

constexpr std::chrono::milliseconds pause_between_attempts{200};

/// The server was reached and refused: a wrong password, an unknown database and similar.
bool is_final(server_fault const& f) {
  return !f.state.empty() && !may_pass(f);
}

[[noreturn]] void throw_refusal(address const& where, std::string_view why) {
  throw open_error(where.to_text() + ": " + std::string{why});
}

[[noreturn]] void throw_refusal(address const& where, session_fault const& f) {
  if (is_final(f.fault)) throw_refusal(where, f.what());
  throw ports::unavailable_error(where.to_text() + ": " + f.what());
}

void check_schema(session& s, address const& where, postgres_options const& options,
                  std::chrono::steady_clock::time_point deadline) {
  int const version = schema_version(s);
  if (version > newest_schema())
    throw_refusal(where, "the schema has version " + std::to_string(version) + ", this program knows version " +
                             std::to_string(newest_schema()) + ": use a newer one");
  bool const may_be_made = options.environment || options.environment_if_new;
  if (version == 0 && !may_be_made) throw_refusal(where, "there is no store in this database");
  if (version == newest_schema()) return;
  if (version != 0 && !options.migrate)
    throw_refusal(where, "the schema has version " + std::to_string(version) + ", this program needs version " +
                             std::to_string(newest_schema()) + ": run `petstore migrate`");
  migrate(s, deadline);
}

petstore::environment create_store(session& s, address const& where, postgres_options const& options) {
  auto const wanted = options.environment ? options.environment : options.environment_if_new;
  if (wanted)
    s.run("INSERT INTO shop (id, environment) VALUES (1, $1) ON CONFLICT (id) DO NOTHING",
          {std::to_string(static_cast<int>(*wanted))});
  auto const row = s.run("SELECT environment FROM shop WHERE id = 1");
  if (row.empty()) throw_refusal(where, "there is no store in this database");
  auto const found = static_cast<petstore::environment>(row.number(0, 0));
  if (options.environment && found != *options.environment)
    throw_refusal(where, found == petstore::environment::production ? "the store is for production, not for staging"
                                                                    : "the store is for staging, not for production");
  return found;
}

/// The server's value of a setting; empty if it does not know the setting.
std::string setting(session& s, std::string const& name) {
  auto const row = s.run("SELECT current_setting($1, true)", {name});
  return row.empty() ? std::string{} : std::string{row.text(0, 0)};
}

void warn_of_settings(session& s, health const& h) {
  for (auto const* name : {"fsync", "synchronous_commit", "full_page_writes"})
    if (setting(s, name) == "off")
      h.report_event("store_not_durable",
                     std::string{"PostgreSQL runs with "} + name + " = off: a crash of it may lose what was answered");
}

}  // namespace

session open_session(address const& where, std::chrono::milliseconds timeout,
                     std::chrono::milliseconds attempt_timeout) {
  auto const deadline = std::chrono::steady_clock::now() + timeout;
  blocking_resolver names;
  for (;;) {
    try {
      auto const left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      return session(where, names, std::min(left, attempt_timeout));
    } catch (session_fault const& f) {
      bool const in_time = std::chrono::steady_clock::now() + pause_between_attempts < deadline;
      if (is_final(f.fault) || !in_time) throw_refusal(where, f);
      std::this_thread::sleep_for(pause_between_attempts);
    }
  }
}

petstore::environment prepare_store(session& s, address const& where, postgres_options const& options, health const& h,
                                    std::chrono::steady_clock::time_point deadline) {
  try {
    if (setting(s, "server_encoding") != "UTF8")
      throw_refusal(where, "the database is encoded in " + setting(s, "server_encoding") + ", and has to be in UTF8");
    check_schema(s, where, options, deadline);
    warn_of_settings(s, h);
    return create_store(s, where, options);
  } catch (session_fault const& f) {
    throw_refusal(where, f);
  }
}

}  // namespace postgres

schema_versions migrate_postgres(std::string const& uri) {
  constexpr std::chrono::milliseconds open_timeout{10'000};
  constexpr std::chrono::milliseconds connect_timeout{5'000};
  postgres::address const where(uri);
  auto const deadline = std::chrono::steady_clock::now() + open_timeout;
  auto s = postgres::open_session(where, open_timeout, connect_timeout);
  try {
    return {.before = postgres::migrate(s, deadline), .now = postgres::newest_schema()};
  } catch (postgres::session_fault const& f) {
    postgres::throw_refusal(where, f);
  } catch (open_error const& e) {
    throw open_error(where.to_text() + ": " + e.what());
  }
}

void validate_postgres_uri(std::string_view uri) {
  postgres::address const checked(uri);
}

std::string describe_postgres(std::string_view uri) {
  return postgres::address(uri).to_text();
}

}  // namespace petstore::storage
