// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "connect_attempt.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/use_future.hpp>
#include <new>
#include <stdexcept>
#include <string_view>

namespace petstore::storage::postgres {
namespace {

/// The same address may be written in several ways.
bool is_same_address(std::string const& a, std::string const& b) {
  boost::system::error_code not_numeric;
  auto const one = boost::asio::ip::make_address(a, not_numeric);
  if (not_numeric) return a == b;
  auto const other = boost::asio::ip::make_address(b, not_numeric);
  return !not_numeric && one == other;
}

/// What the URI leaves open is what libpq has chosen.
bool is_chosen(host const& of_uri, host const& chosen) {
  auto const fits = [](std::string const& wanted, std::string const& found) {
    return wanted.empty() || wanted == found;
  };
  return fits(of_uri.name, chosen.name) && fits(of_uri.port, chosen.port) &&
         (of_uri.address.empty() || is_same_address(of_uri.address, chosen.address));
}

std::string to_text(host const& h) {
  auto text = (h.name.empty() ? h.address : h.name) + (h.port.empty() ? "" : ":" + h.port);
  bool const is_named = !h.name.empty() && !h.address.empty() && !is_same_address(h.name, h.address);
  return is_named ? text + " (" + h.address + ")" : text;
}

/// The complete lines. libpq begins the line of a host when it tries the host, and completes it when the host fails.
std::string_view complete_lines(std::string_view text) {
  return text.substr(0, text.rfind('\n') + 1);
}

/// libpq writes the server's notices to standard error, which is for the log only.
void ignore_notices(PGconn* connection) {
  PQsetNoticeReceiver(
      connection, [](void*, PGresult const*) {}, nullptr);
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
    auto const shares = names_left-- + 1;  // one is for connecting
    auto finding = names.find(h.name, now + (deadline - now) / shares);
    auto const [failure, addresses] = co_await std::move(finding);
    if (failure) fault = h.name + ": " + failure.message();
    for (auto const& a : addresses) found.push_back({h.name, a.to_string(), h.port});
  }
  if (found.empty()) throw std::runtime_error(fault);
  co_return found;
}

std::vector<host> blocking_resolver::resolve(address const& where, std::chrono::steady_clock::time_point deadline) {
  auto resolving = postgres::resolve(names_, where, deadline);
  auto found = boost::asio::co_spawn(context_, std::move(resolving), boost::asio::use_future);
  context_.restart();
  context_.run();
  return found.get();
}

connect_attempt::connect_attempt(address const& where, std::vector<host> hosts, time_point now, time_point deadline,
                                 PGVerbosity verbosity)
    : where_(where), hosts_(std::move(hosts)), deadline_(deadline), verbosity_(verbosity) {
  if (now < deadline) begin(now);
}

void connect_attempt::begin(time_point now) {
  auto const keywords = where_.to_keywords(hosts_);
  connection_.reset(PQconnectStartParams(keywords.name_pointers.data(), keywords.value_pointers.data(), 0));
  if (!connection_) throw std::bad_alloc();
  ignore_notices(connection_.get());
  PQsetErrorVerbosity(connection_.get(), verbosity_);
  state_ = PQstatus(connection_.get()) == CONNECTION_BAD ? state::failed : state::waits_to_write;
  begin_turn(0, now);
}

/// `first` is the first host that it may be the turn of.
void connect_attempt::begin_turn(std::size_t first, time_point now) {
  in_turn_ = host_in_turn();
  turn_ = find_in_turn(first);
  auto const turns_left = where_.prefers_standby() ? hosts_.size() : hosts_.size() - turn_;
  since_ = now;
  due_ = now + (deadline_ - now) / static_cast<time_point::rep>(turns_left);
}

/// libpq passes over several hosts at once if each of them refuses at once, and its second pass begins at the first.
std::size_t connect_attempt::find_in_turn(std::size_t first) const {
  for (std::size_t i = 0; i < hosts_.size(); ++i) {
    auto const candidate = (first + i) % hosts_.size();
    if (is_chosen(hosts_[candidate], in_turn_)) return candidate;
  }
  return std::min(first, hosts_.size() - 1);
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
  if (host_in_turn() != in_turn_) begin_turn(turn_ + 1, now);
}

void connect_attempt::skip_host(time_point now) {
  auto const waited = std::chrono::ceil<std::chrono::milliseconds>(now - since_);
  silent_ +=
      (silent_.empty() ? "from " : ", from ") + to_text(in_turn_) + " within " + std::to_string(waited.count()) + " ms";
  auto const silent = hosts_.begin() + static_cast<std::ptrdiff_t>(turn_);
  bool const keeps_others = where_.prefers_standby();
  hosts_.erase(keeps_others ? silent : hosts_.begin(), silent + 1);
  bool const goes_on = !hosts_.empty() && now < deadline_;
  // Those that are kept answer again.
  if (!goes_on || !keeps_others) answers_ += complete_lines(PQerrorMessage(connection_.get()));
  if (goes_on) return begin(now);
  connection_.reset();
  state_ = state::failed;
}

std::string connect_attempt::message() const {
  return connection_ ? answers_ + PQerrorMessage(connection_.get()) : answers_;
}

std::string connect_attempt::why_not(std::string message) const {
  auto const silence = silent_.empty() ? "" : "no answer " + silent_;
  if (message.empty()) return silence.empty() ? "no time was left to connect" : silence;
  return silence.empty() ? message : message + "; " + silence;
}

}  // namespace petstore::storage::postgres
