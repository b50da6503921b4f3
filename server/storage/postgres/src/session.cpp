// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "session.hpp"

#include <poll.h>

#include <thread>

namespace petstore::storage::postgres {
namespace {

constexpr char const* connection_failure = "08006";

}  // namespace

session::session(address const& where, blocking_resolver& names, std::chrono::milliseconds connect_timeout) {
  using clock = std::chrono::steady_clock;
  auto const deadline = clock::now() + connect_timeout;
  std::vector<host> hosts;
  try {
    hosts = names.resolve(where, deadline);
  } catch (std::runtime_error const& not_found) {
    throw session_fault({{}, not_found.what(), {}});
  }
  // A verbose message has the state, which libpq hides otherwise.
  connect_attempt attempt(where, std::move(hosts), clock::now(), deadline, PQERRORS_VERBOSE);
  while (attempt.waits()) {
    auto const left = std::chrono::ceil<std::chrono::milliseconds>(attempt.due() - clock::now());
    if (left.count() <= 0) {
      attempt.skip_host(clock::now());
      continue;
    }
    pollfd waiting{
        .fd = attempt.socket(), .events = static_cast<short>(attempt.waits_to_read() ? POLLIN : POLLOUT), .revents = 0};
    if (::poll(&waiting, 1, static_cast<int>(left.count())) > 0) attempt.proceed(clock::now());
  }
  if (!attempt.is_made()) {
    auto fault = read_connection_fault(attempt.message());
    fault.message = attempt.why_not(std::move(fault.message));
    throw session_fault(std::move(fault));
  }
  connection_ = attempt.take();
  PQsetErrorVerbosity(connection_.get(), PQERRORS_DEFAULT);
}

PGresult* session::check(PGresult* r) {
  auto const status = PQresultStatus(r);
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_SINGLE_TUPLE) return r;
  std::unique_ptr<PGresult, decltype(&PQclear)> const kept(r, &PQclear);
  throw session_fault(r ? fault_of(r) : fault_of(connection_.get()));
}

session::table session::run(std::string const& sql, std::vector<std::string> const& parameters) {
  std::vector<char const*> values;
  for (auto const& p : parameters) values.push_back(p.c_str());
  return table(check(PQexecParams(connection_.get(), sql.c_str(), static_cast<int>(values.size()), nullptr,
                                  values.data(), nullptr, nullptr, 0)));
}

void session::run_all(std::string const& sql) {
  table const ignored(check(PQexec(connection_.get(), sql.c_str())));
}

bool session::roll_back() noexcept {
  std::unique_ptr<PGresult, decltype(&PQclear)> const done(PQexec(connection_.get(), "ROLLBACK"), &PQclear);
  return PQresultStatus(done.get()) == PGRES_COMMAND_OK;
}

void session::stream(std::string const& sql, std::function<bool(table const&)> const& take) {
  if (PQsendQuery(connection_.get(), sql.c_str()) == 0 || PQsetSingleRowMode(connection_.get()) == 0) check(nullptr);
  while (PGresult* const r = PQgetResult(connection_.get())) {
    table const row(check(r));
    if (PQresultStatus(r) != PGRES_SINGLE_TUPLE || take(row)) continue;
    // Stops the server from sending the rest. The last result shows how the request ended.
    std::unique_ptr<PGcancel, decltype(&PQfreeCancel)> const cancel(PQgetCancel(connection_.get()), &PQfreeCancel);
    char why_not[256];
    if (cancel) PQcancel(cancel.get(), why_not, sizeof why_not);
    while (PGresult* const rest = PQgetResult(connection_.get())) PQclear(rest);
    return;
  }
}

bool session::has_table_locks() const noexcept {
  char const* const version = PQparameterStatus(connection_.get(), "server_version");
  return !PQparameterStatus(connection_.get(), "crdb_version") &&
         !(version && std::string_view{version}.find("YB") != std::string_view::npos);
}

void in_transaction(session& s, std::string const& begin, std::function<void()> const& work) {
  for (int attempt = 1;; ++attempt) {
    bool commits = false;
    try {
      s.run_all(begin);
      work();
      commits = true;
      s.run_all("COMMIT");
      return;
    } catch (session_fault const& f) {
      bool const is_lost = f.fault.state.empty() || !s.roll_back();
      if (is_lost) throw session_fault({commits ? "" : connection_failure, f.fault.message, {}});
      if (!is_worth_another_try(f.fault) || attempt == transaction_attempts_max) throw;
    } catch (...) {
      s.roll_back();
      throw;
    }
  }
}

void limit_lock_waits(session& s, std::chrono::milliseconds longest) {
  s.run_all("SET LOCAL lock_timeout = '" + std::to_string(longest.count()) + "ms'");
}

void in_transaction_until(std::chrono::steady_clock::time_point deadline, session& s, std::string const& begin,
                          std::function<void()> const& work) {
  constexpr std::chrono::milliseconds pause{500};
  for (;;) {
    try {
      return in_transaction(s, begin, work);
    } catch (session_fault const& f) {
      if (!is_lock_missed(f.fault) || std::chrono::steady_clock::now() + pause >= deadline) throw;
      std::this_thread::sleep_for(pause);
    }
  }
}

void array_text::add(std::string_view element) {
  if (text_.size() > 1) text_ += ',';
  text_ += '"';
  for (char const c : element) {
    if (c == '"' || c == '\\') text_ += '\\';
    text_ += c;
  }
  text_ += '"';
}

void array_text::add(std::int64_t element) {
  if (text_.size() > 1) text_ += ',';
  text_ += std::to_string(element);
}

}  // namespace petstore::storage::postgres
