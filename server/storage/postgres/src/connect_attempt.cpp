// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "connect_attempt.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <new>
#include <stdexcept>

#include "petstore/names/lookup.hpp"
#include "session.hpp"

namespace petstore::storage::postgres {
namespace {

/// What the URI leaves open is what libpq has chosen.
bool is_chosen(host const& of_uri, host const& chosen) {
  auto const fits = [](std::string const& wanted, std::string const& found) {
    return wanted.empty() || wanted == found;
  };
  return fits(of_uri.name, chosen.name) && fits(of_uri.address, chosen.address) && fits(of_uri.port, chosen.port);
}

std::string to_text(host const& h) {
  return (h.name.empty() ? h.address : h.name) + (h.port.empty() ? "" : ":" + h.port);
}

}  // namespace

boost::asio::awaitable<std::vector<host>> resolve(names::lookup& names, address const& where,
                                                  std::chrono::steady_clock::time_point deadline) {
  std::vector<host> found;
  std::string fault;
  auto names_left = std::ranges::count_if(where.hosts(), [](host const& h) { return !needs_no_resolution(h); });
  for (host const& h : where.hosts()) {
    if (needs_no_resolution(h)) {
      found.push_back(h);
      continue;
    }
    auto const now = std::chrono::steady_clock::now();
    auto const shares = names_left-- + (found.empty() ? 0 : 1);
    auto finding = names.find(h.name, now + (deadline - now) / shares);
    auto const [failure, addresses] = co_await std::move(finding);
    if (failure) fault = h.name + ": " + failure.message();
    for (auto const& a : addresses) found.push_back({h.name, a.to_string(), h.port});
  }
  if (found.empty()) throw std::runtime_error(fault);
  co_return found;
}

std::vector<host> resolve_and_wait(address const& where, std::chrono::steady_clock::time_point deadline) {
  boost::asio::io_context context{1};
  names::lookup names(context.get_executor());
  auto found = boost::asio::co_spawn(context, resolve(names, where, deadline), boost::asio::use_future);
  context.run();
  return found.get();
}

connect_attempt::connect_attempt(address const& where, std::vector<host> hosts, time_point now, time_point deadline,
                                 PGVerbosity verbosity)
    : where_(where), hosts_(std::move(hosts)), begun_at_(now), deadline_(deadline), verbosity_(verbosity) {
  begin(now);
}

void connect_attempt::begin(time_point now) {
  auto const keywords = where_.to_keywords(hosts_);
  connection_.reset(PQconnectStartParams(keywords.name_pointers.data(), keywords.value_pointers.data(), 0));
  if (!connection_) throw std::bad_alloc();
  ignore_notices(connection_.get());
  PQsetErrorVerbosity(connection_.get(), verbosity_);
  state_ = PQstatus(connection_.get()) == CONNECTION_BAD ? state::failed : state::waits_to_write;
  grant_share(now);
}

void connect_attempt::grant_share(time_point now) {
  in_turn_ = host_in_turn();
  due_ = now + (deadline_ - now) / static_cast<time_point::rep>(hosts_.size());
}

host connect_attempt::host_in_turn() const {
  PGconn const* const c = connection_.get();
  return {PQhost(c), PQhostaddr(c), PQport(c)};
}

void connect_attempt::proceed(time_point now) {
  switch (PQconnectPoll(connection_.get())) {
    case PGRES_POLLING_OK: state_ = state::made; return;
    case PGRES_POLLING_READING: state_ = state::waits_to_read; break;
    case PGRES_POLLING_WRITING: state_ = state::waits_to_write; break;
    default: state_ = state::failed; return;
  }
  if (host_in_turn() != in_turn_) grant_share(now);
}

void connect_attempt::skip_host(time_point now) {
  auto silent = std::ranges::find_if(hosts_, [&](host const& h) { return is_chosen(h, in_turn_); });
  if (silent == hosts_.end()) silent = hosts_.begin();
  silent_ += (silent_.empty() ? "" : ", ") + to_text(in_turn_);
  hosts_.erase(silent);
  if (!hosts_.empty()) return begin(now);
  connection_.reset();
  state_ = state::failed;
}

std::string connect_attempt::message() const {
  return connection_ ? PQerrorMessage(connection_.get()) : "";
}

std::string connect_attempt::why_not(std::string message) const {
  if (silent_.empty()) return message;
  auto const waited = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - begun_at_);
  auto const silence = "no answer from " + silent_ + " within " + std::to_string(waited.count()) + " ms";
  return message.empty() ? silence : message + "; " + silence;
}

}  // namespace petstore::storage::postgres
