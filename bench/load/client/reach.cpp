// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "client/reach.hpp"

#include <poll.h>

#include "client/connection.hpp"

namespace petstore::load {
namespace {

using clock = std::chrono::steady_clock;

/// Waits for the socket; false if the time is over.
bool wait_for(connection const& c, short events, clock::time_point until) {
  pollfd one{.fd = c.descriptor(), .events = events, .revents = 0};
  auto const left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now());
  return left.count() > 0 && ::poll(&one, 1, static_cast<int>(left.count())) != 0;
}

}  // namespace

std::string why_unreachable(target const& t, address const& a, tls_settings const* tls,
                            std::chrono::milliseconds patience) {
  auto const until = clock::now() + patience;
  auto const sentence = [&](std::string const& why) { return t.name() + " (" + a.text() + "): " + why; };
  connection c;
  auto outcome = c.open(a);
  if (outcome == progress::later) outcome = wait_for(c, POLLOUT, until) ? c.finish_open() : progress::later;
  if (outcome == progress::done && t.is_tls) {
    outcome = c.handshake(*tls, t.host);
    while (outcome == progress::later && wait_for(c, POLLIN, until)) outcome = c.handshake(*tls, t.host);
    if (outcome == progress::failed) return sentence("no agreement on TLS: " + c.fault());
  }
  if (outcome == progress::later) return sentence("no answer in time");
  if (outcome != progress::done) return sentence(c.fault());
  return {};
}

}  // namespace petstore::load
