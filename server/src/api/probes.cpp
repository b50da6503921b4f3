// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/probes.hpp"

#include "access/client_address.hpp"
#include "api/answer.hpp"

namespace petstore::server {
namespace {

std::string_view obstacle(readiness const& state) {
  if (state.draining) return "Draining.";
  return state.store_ready ? "The quotas cannot be counted." : "The store is not ready.";
}

}  // namespace

bool answer_probe(request const& req, readiness const& state, service_options const& options, response& out) {
  bool const is_options = req.method == method::options;
  bool const is_bare = is_options && req.path == "/";
  bool const asks_ready = req.path == "/readyz" || is_bare;
  if (!asks_ready && req.path != "/livez") return false;
  // The client's address, not the peer's: a request that a proxy forwards from outside is no probe.
  auto const client = find_client_address(req, options);
  bool const is_local = is_loopback(client) && !is_bare;
  if (!is_local && !is_in_any(options.trusted_proxies, client)) return false;

  bool const is_allowed = is_options || req.method == method::get || req.method == method::head;
  if (!is_allowed) {
    write_error(errc::method_not_allowed, {}, {}, out);
  } else if (asks_ready && !state.ready()) {
    write_error(errc::unavailable, obstacle(state), {}, out);
    add_retry_after(out);
  } else if (is_options) {
    out.status = 204;
  } else {
    out.body.append(R"({"status":"ok"})");
  }
  if (is_options || !is_allowed) out.add("Allow", "GET, HEAD, OPTIONS");
  add_content_fields(caching::none, out);
  return true;
}

}  // namespace petstore::server
