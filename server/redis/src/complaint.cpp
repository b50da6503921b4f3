// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "complaint.hpp"

#include <array>
#include <utility>

#include "parsing.hpp"
#include "slot.hpp"

namespace petstore::redis {
namespace {

using kind = complaint::kind;

/// The first words of errors that come before anything is done. A command within a script may also cause some of them.
/// These are in the table because Redis refuses only the first write of a script for such reasons, never a later one.
constexpr std::array<std::pair<std::string_view, kind>, 16> meanings{{
    {"NOSCRIPT", kind::no_script},
    {"MOVED", kind::moved},
    {"ASK", kind::ask},
    {"TRYAGAIN", kind::try_again},
    {"CLUSTERDOWN", kind::cluster_down},
    {"LOADING", kind::not_in_charge},
    {"MASTERDOWN", kind::not_in_charge},
    {"READONLY", kind::not_in_charge},
    {"NOAUTH", kind::not_in_charge},
    {"NOPERM", kind::refused},
    {"OOM", kind::refused},
    {"BUSY", kind::refused},
    {"MISCONF", kind::refused},
    {"NOREPLICAS", kind::refused},
    {"CROSSSLOT", kind::refused},
    {"WRONGPASS", kind::refused},
}};

/// Parses a redirection such as `3999 127.0.0.1:6381`. The host has no brackets. It is empty or a question mark if the
/// sender does not know the name of the node.
bool read_redirection(std::string_view text, node const& from, complaint& out) {
  auto const slot = parse_number<std::uint16_t>(take_until(text, ' '), slot_count - 1);
  auto const endpoint = take_until(text, ' ');
  auto const colon = endpoint.rfind(':');
  if (!slot || colon == std::string_view::npos) return false;
  auto const port = parse_port(endpoint.substr(colon + 1));
  if (!port) return false;
  out.slot = *slot;
  auto const host = endpoint.substr(0, colon);
  out.target.host = host.empty() || host == "?" ? from.host : std::string{host};
  out.target.port = *port;
  return true;
}

}  // namespace

complaint read_complaint(std::string_view error, node const& from) {
  complaint out;
  auto rest = error;
  auto const word = take_until(rest, ' ');
  for (auto const& [name, meaning] : meanings) {
    if (word == name) out.what = meaning;
  }
  bool const redirects = out.what == kind::moved || out.what == kind::ask;
  if (redirects && !read_redirection(rest, from, out)) out.what = kind::executed;
  // A script gets NOPERM only when it reaches the forbidden command, after other commands.
  if (word == "NOPERM" && error.find("script") != std::string_view::npos) out.what = kind::executed;
  return out;
}

}  // namespace petstore::redis
