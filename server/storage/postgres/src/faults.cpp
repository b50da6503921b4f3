// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "faults.hpp"

#include <algorithm>
#include <string>

namespace petstore::storage::postgres {
namespace {

std::string without_line_end(std::string_view text) {
  auto const end = text.find_last_not_of(" \n");
  return std::string{text.substr(0, end == text.npos ? 0 : end + 1)};
}

std::string field(PGresult const* r, int code) {
  char const* const text = PQresultErrorField(r, code);
  return text ? text : "";
}

}  // namespace

server_fault fault_of(PGresult const* r) {
  server_fault f{.state = field(r, PG_DIAG_SQLSTATE),
                 .message = field(r, PG_DIAG_MESSAGE_PRIMARY),
                 .constraint = field(r, PG_DIAG_CONSTRAINT_NAME)};
  if (f.message.empty()) f.message = without_line_end(PQresultErrorMessage(r));
  return f;
}

server_fault fault_of(PGconn const* connection) {
  return {{}, without_line_end(PQerrorMessage(connection)), {}};
}

/// "… FATAL:  28P01: password authentication failed for user "x"\nLOCATION:  …", or a message of the system.
server_fault read_connection_fault(std::string_view text) {
  server_fault fault;
  constexpr std::size_t state_length = 5;
  auto const mark = text.find(":  ");
  if (mark != text.npos && mark + 3 + state_length < text.size() && text[mark + 3 + state_length] == ':') {
    fault.state = text.substr(mark + 3, state_length);
    text.remove_prefix(mark + 3 + state_length + 2);
  }
  text = text.substr(0, text.find("\nLOCATION:"));
  fault.message = without_line_end(text);
  std::ranges::replace(fault.message, '\n', ' ');
  return fault;
}

bool is_worth_another_try(server_fault const& f) noexcept {
  return f.state == "40001" || f.state == "40P01" || f.state == "23505";
}

bool is_duplicate(server_fault const& f, std::string_view constraint) noexcept {
  return f.state == "23505" && (constraint.empty() || f.constraint == constraint);
}

bool is_read_only(server_fault const& f) noexcept {
  return f.state == "25006";
}

bool is_lock_missed(server_fault const& f) noexcept {
  return f.state == "55P03";
}

bool is_outcome_unknown(server_fault const& f) noexcept {
  return f.state == "40003" || f.state == "08007";
}

bool is_unprepared(server_fault const& f) noexcept {
  return f.state == "26000";
}

bool is_prepared_already(server_fault const& f) noexcept {
  return f.state == "42P05";
}

bool may_pass(server_fault const& f) noexcept {
  constexpr std::string_view passing[] = {
      "08",     // connection
      "25006",  // read-only
      "2200H",  // a sequence is at its end
      "40",     // transaction rolled back
      "53",     // disk full, out of memory, too many connections
      "55P03",  // lock not available
      "57",     // cancelled, shut down, starting up
      "58",     // input and output
  };
  return std::ranges::any_of(passing, [&](auto prefix) { return f.state.starts_with(prefix); });
}

error to_error(server_fault const& f) {
  auto cause = "PostgreSQL: " + f.message + " (" + f.state + ")";
  return may_pass(f) ? unavailable(std::move(cause)) : internal(std::move(cause));
}

error unavailable(std::string cause) {
  return {.code = errc::unavailable, .message = {}, .cause = std::move(cause)};
}

error internal(std::string cause) {
  return {.code = errc::internal, .message = {}, .cause = std::move(cause)};
}

}  // namespace petstore::storage::postgres
