// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "address.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cstdlib>
#include <memory>
#include <ranges>

#include "petstore/ports/open_error.hpp"
#include "petstore/whole_number.hpp"

namespace petstore::storage::postgres {
namespace {

/// The defaults for parameters that the URI does not set. With them, a connection on which nothing arrives any more is
/// noticed within half a minute, even without requests, and also by a caller that blocks. Kerberos, which may look up
/// names by itself, is only used if the URI enables it.
constexpr std::pair<char const*, char const*> preferred[] = {
    {"target_session_attrs", "read-write"},
    {"gssencmode", "disable"},
    {"keepalives_idle", "10"},
    {"keepalives_interval", "5"},
    {"keepalives_count", "3"},
    {"tcp_user_timeout", "25000"},
    {"client_encoding", "UTF8"},
    {"application_name", "petstore"},
};

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  for (;;) {
    auto const comma = list.find(',');
    parts.emplace_back(list.substr(0, comma));
    if (comma == list.npos) return parts;
    list.remove_prefix(comma + 1);
  }
}

/// The element for host number `i`, from a list that may be empty or have one element for all hosts.
std::string element(std::vector<std::string> const& list, std::size_t i) {
  return list.size() == 1 ? list.front() : i < list.size() ? list[i] : std::string{};
}

std::string from_environment(char const* name) {
  char const* const value = std::getenv(name);
  return value ? value : "";
}

bool is_port(std::string_view text) {
  return whole_number<std::uint16_t>(text).value_or(0) != 0;
}

/// libpq checks these values only when it connects. An empty value is its default.
constexpr std::pair<std::string_view, std::string_view> choices[] = {
    {"sslmode", "disable, allow, prefer, require, verify-ca, verify-full"},
    {"target_session_attrs", "any, read-write, read-only, primary, standby, prefer-standby"},
};

bool is_among(std::string_view choice, std::string_view list) {
  for (auto const& one : std::views::split(list, std::string_view{", "}))
    if (std::ranges::equal(one, choice)) return true;
  return choice.empty();
}

[[noreturn]] void throw_refusal(std::string const& what) {
  throw ports::open_error("the postgres:// address " + what);
}

}  // namespace

address::address(std::string_view uri) {
  char* complaint = nullptr;
  std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> const options(
      PQconninfoParse(std::string{uri}.c_str(), &complaint), &PQconninfoFree);
  std::unique_ptr<char, decltype(&PQfreemem)> const kept(complaint, &PQfreemem);
  // libpq's message may repeat a part of the URI, and so of the password.
  if (!options)
    throw_refusal(
        "cannot be read: it is not what libpq takes as a URI "
        "(in a password, write %40 for an at sign, %2F for /, %3F for ?, and so on)");

  std::string names;
  std::string addresses;
  std::string ports;
  for (auto const* o = options.get(); o->keyword; ++o) {
    if (!o->val) continue;
    std::string_view const keyword = o->keyword;
    if (keyword == "host") {
      names = o->val;
    } else if (keyword == "hostaddr") {
      addresses = o->val;
    } else if (keyword == "port") {
      ports = o->val;
    } else {
      settings_.push_back({o->keyword, o->val});
      if (keyword == "dbname") database_ = o->val;
    }
  }
  if (names.empty()) names = from_environment("PGHOST");
  if (addresses.empty()) addresses = from_environment("PGHOSTADDR");
  if (ports.empty()) ports = from_environment("PGPORT");

  auto const name_list = split(names);
  auto const address_list = split(addresses);
  auto const port_list = split(ports);
  for (std::size_t i = 0; i < std::max(name_list.size(), address_list.size()); ++i)
    hosts_.push_back({i < name_list.size() ? name_list[i] : "", i < address_list.size() ? address_list[i] : "",
                      element(port_list, i)});
  require_sound(port_list);
  for (auto const& [name, value] : preferred)
    if (!has(name)) settings_.push_back({name, value});
}

void address::require_sound(std::vector<std::string> const& port_list) const {
  if (port_list.size() != 1 && port_list.size() != hosts_.size())
    throw_refusal("has " + std::to_string(port_list.size()) + " ports for " + std::to_string(hosts_.size()) + " hosts");
  for (auto const& port : port_list)
    if (!port.empty() && !is_port(port)) throw_refusal("has a port that is not a number from 1 to 65535");
  for (auto const& [name, values] : choices)
    for (auto const& s : settings_)
      if (s.name == name && !is_among(s.value, values))
        throw_refusal("has a value of " + std::string{name} + " that is none of " + std::string{values});
}

bool address::has(std::string_view name) const noexcept {
  return std::ranges::any_of(settings_, [&](setting const& s) { return s.name == name; });
}

bool address::prefers_standby() const noexcept {
  return std::ranges::any_of(
      settings_, [](setting const& s) { return s.name == "target_session_attrs" && s.value == "prefer-standby"; });
}

bool address::wants_writes() const noexcept {
  return std::ranges::any_of(settings_, [](setting const& s) {
    return s.name == "target_session_attrs" && (s.value == "read-write" || s.value == "primary");
  });
}

address::keywords address::to_keywords(std::vector<host> const& hosts) const {
  std::string names;
  std::string addresses;
  std::string ports;
  for (auto const& h : hosts) {
    if (&h != &hosts.front()) {
      names += ',';
      addresses += ',';
      ports += ',';
    }
    names += h.name;
    addresses += h.address;
    ports += h.port;
  }
  keywords k;
  auto const add = [&](std::string const& name, std::string const& value) {
    k.names.push_back(name);
    k.values.push_back(value);
  };
  // A list of only commas would be read as that many hosts.
  if (names.find_first_not_of(',') != names.npos) add("host", names);
  if (addresses.find_first_not_of(',') != addresses.npos) add("hostaddr", addresses);
  if (ports.find_first_not_of(',') != ports.npos) add("port", ports);
  for (auto const& s : settings_) add(s.name, s.value);
  for (auto const& name : k.names) k.name_pointers.push_back(name.c_str());
  for (auto const& value : k.values) k.value_pointers.push_back(value.c_str());
  k.name_pointers.push_back(nullptr);
  k.value_pointers.push_back(nullptr);
  return k;
}

std::string address::to_text() const {
  std::string text = "postgres://";
  for (auto const& h : hosts_) {
    if (&h != &hosts_.front()) text += ',';
    text += !h.name.empty() ? h.name : h.address;
    if (!h.port.empty()) text += ":" + h.port;
  }
  if (!database_.empty()) text += "/" + database_;
  return text;
}

bool needs_no_resolution(host const& h) {
  if (h.name.empty() || !h.address.empty() || h.name.front() == '/' || h.name.front() == '@') return true;
  boost::system::error_code not_numeric;
  boost::asio::ip::make_address(h.name, not_numeric);
  return !not_numeric;
}

}  // namespace petstore::storage::postgres
