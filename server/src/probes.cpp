// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "probes.hpp"

#include "answer.hpp"
#include "client_address.hpp"

namespace petstore::server {

bool answer_probe(request const& req, readiness const& state, std::span<address_range const> trusted_proxies,
                  response& out) {
  bool const asks_ready = req.path == "/readyz";
  if (!asks_ready && req.path != "/livez") return false;
  // The client's address, not the peer's: what a proxy forwards from outside is no probe.
  auto const client = find_client_address(req, trusted_proxies);
  if (!is_loopback(client) && !is_in_any(trusted_proxies, client)) return false;

  constexpr std::string_view allow = "GET, HEAD, OPTIONS";
  if (req.method == method::options) {
    out.status = 204;
    out.add("Allow", allow);
  } else if (req.method != method::get && req.method != method::head) {
    write_error(errc::method_not_allowed, {}, {}, out);
    out.add("Allow", allow);
  } else if (asks_ready && !state.ready()) {
    write_error(errc::unavailable, state.draining ? "Draining." : "The store is not ready.", {}, out);
  } else {
    out.body.append(R"({"status":"ok"})");
  }
  add_content_fields(caching::none, out);
  return true;
}

}  // namespace petstore::server
