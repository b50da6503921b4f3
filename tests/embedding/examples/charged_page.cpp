// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A page of the program's own that needs an API key of the store and charges its quotas.
#include <chrono>
#include <memory>

#include "examples.hpp"
#include "petstore/api_key.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/limits/headers.hpp"

namespace examples {

using namespace petstore;

asio::awaitable<void> charged_page(server::application const& app, ports::async_quota& quota,
                                   server::request const& asked, server::response& out) {
  std::string_view const sent = asked.find("Authorization");
  auto const token = sent.starts_with("Bearer ") ? sent.substr(7) : std::string_view{};
  auto const now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  std::shared_ptr<key_snapshot const> const keys = app.keys().current();  // what `find` returns lives as long
  key_entry const* const caller = keys->find(sha256(token), now);
  if (!caller) {
    out.status = 401;
    out.add("WWW-Authenticate", "Bearer");
    co_return;
  }
  limits::verdict const verdict = co_await quota.async_charge(caller->identity, caller->plan, 3);
  limits::append_headers(out.fields, verdict, limits::rate_limit_fields::draft11);
  out.status = verdict.admitted() ? 200 : 429;
  if (verdict.admitted()) out.body = "The report.\n";
}

}  // namespace examples
