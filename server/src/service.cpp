// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/service.hpp"

#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "access.hpp"
#include "answer.hpp"
#include "cors.hpp"
#include "description.hpp"
#include "exchange.hpp"
#include "handlers/handlers.hpp"
#include "petstore/server/router.hpp"
#include "probes.hpp"

namespace petstore::server {

struct service::impl {
  impl(service_options const& o, ports::store& s, ports::quota_source& q, key_registry const& keys, metrics_shard& m,
       readiness const& r, clock_function c, log_function l)
      : options{o},
        store{s},
        quotas{q},
        counters{m},
        state{r},
        clock{std::move(c)},
        log{std::move(l)},
        access{options, keys} {}

  asio::awaitable<result<void>> admit(exchange&);
  asio::awaitable<result<void>> answer(exchange&);
  asio::awaitable<void> give_back(exchange&);
  void add_error_fields(errc, exchange&) const;
  void add_common_fields(exchange&) const;
  void record(exchange const&);

  service_options const options;
  ports::store& store;
  ports::quota_source& quotas;
  metrics_shard& counters;
  readiness const& state;
  clock_function const clock;
  log_function const log;

  server::router const router{options.base_path};
  server::access access;
  server::cors const cors{options};
  page const description = make_description(options);
};

namespace {

/// The row of the metrics for what matched no operation.
constexpr std::size_t no_operation = operation_count_max - 1;

/// Why an admitted caller's request is not answered, in the order in which they may learn it: first that they are
/// unknown, then what is there, then what they may do to it.
result<void> find_obstacle(exchange const& x) {
  if (x.is_preflight) return {};
  if (x.who.payer.kind == ports::payer::kind::address) {
    std::string_view const message = x.who.gave_token ? "This API key is not valid." : "";
    return error{errc::unauthorized, std::string{message}, {}};
  }
  bool const is_options = x.req.method == method::options;
  if (is_options && x.req.path == "*") return {};  // the service as a whole (RFC 9110, 9.3.7)
  if (!x.where.exists()) return error{errc::not_found, {}, {}};
  if (is_options) return {};
  if (!x.where.operation) return error{errc::method_not_allowed, {}, {}};
  bool const is_write = x.where.operation->scope == key_scope::write;
  if (is_write && x.who.scope != key_scope::write) return error{errc::forbidden, {}, {}};
  return {};
}

}  // namespace

service::service(service_options const& options, ports::store& store, ports::quota_source& quotas,
                 key_registry const& keys, metrics_shard& counters, readiness const& state, clock_function clock,
                 log_function log)
    : impl_{std::make_unique<impl>(options, store, quotas, keys, counters, state, std::move(clock), std::move(log))} {}

service::~service() = default;

asio::awaitable<void> service::handle(request const& req, response& out) {
  auto& s = *impl_;
  if (answer_probe(req, s.state, s.options.trusted_proxies, out)) co_return;
  exchange x{req, out, s.clock(), s.options, s.store, s.description};

  x.where = s.router.match(req.method, req.path);
  x.is_preflight = s.cors.is_preflight(req);
  x.who = x.payment() == payment::keyless ? s.access.identify_keyless(req) : s.access.identify(req, x.now);

  auto done = co_await s.admit(x);
  if (done) done = find_obstacle(x);
  if (done) done = co_await s.answer(x);
  if (!done) {
    write_error(done.error(), out);
    s.add_error_fields(done.error().code, x);
  }
  if (out.status >= 500) co_await s.give_back(x);
  s.add_common_fields(x);
  s.record(x);
}

/// One token, or what the operation costs. A source of quotas that is gone refuses.
asio::awaitable<result<void>> service::impl::admit(exchange& x) {
  std::string cause;
  try {
    if (x.payment() == payment::inquiry && x.who.key != 0) {
      x.verdict = co_await quotas.charge_inquiry(x.who.payer, x.now);
    } else {
      x.verdict = co_await quotas.charge(x.who.payer, x.now);
    }
    if (x.verdict.decision == limits::decision::banned) co_return error{errc::banned, {}, {}};
    if (x.verdict.refused()) co_return error{errc::rate_limited, {}, {}};
    co_return result<void>{};
  } catch (std::exception const& e) {
    cause = e.what();
  }
  x.verdict = quotas.observe(x.who.payer, x.now);
  co_return error{errc::unavailable, {}, "the quotas cannot be charged: " + cause};
}

asio::awaitable<result<void>> service::impl::answer(exchange& x) {
  if (x.is_preflight) {
    cors.answer_preflight(x.where, x.out);
    co_return result<void>{};
  }
  if (x.req.method == method::options) {
    x.out.status = 204;
    add_allow(x.where, x.out);
    add_accept_patch(x.where, x.out);
    co_return result<void>{};
  }
  try {
    auto done = co_await handlers::run(x.where.operation->id, x);
    co_return done;
  } catch (std::bad_alloc const&) {
    co_return error{errc::unavailable, {}, "out of memory"};
  } catch (std::exception const& e) {
    co_return error{errc::internal, {}, e.what()};
  }
}

/// What went wrong on our side costs nothing.
asio::awaitable<void> service::impl::give_back(exchange& x) {
  if (!x.verdict.admitted() || x.payment() == payment::inquiry) co_return;
  try {
    x.verdict = co_await quotas.refund(x.who.payer, x.verdict, clock());
  } catch (std::exception const& e) {
    log(severity::error, "refund_failed", e.what(), x.req.request_id);
  }
}

void service::impl::add_error_fields(errc e, exchange& x) const {
  switch (e) {
    case errc::unauthorized: return add_challenge(x.who.gave_token, x.out);
    case errc::method_not_allowed: return add_allow(x.where, x.out);
    case errc::unsupported_media_type: return add_accept_patch(x.where, x.out);
    default: return;
  }
}

void service::impl::add_common_fields(exchange& x) const {
  if (x.where.operation) add_standing_fields(x.where.operation->standing, options.base_path, x.out);
  bool const is_page = x.where.operation && x.payment() == payment::keyless && x.out.status < 400;
  add_content_fields(is_page ? caching::revalidate : caching::none, x.out);
  limits::append_headers(x.out.fields, x.verdict, options.rate_limit_fields);
  cors.add_fields(x.req, x.out);
}

void service::impl::record(exchange const& x) {
  auto const* operation = x.where.operation;
  x.out.notes.operation = operation ? operation->name : std::string_view{};
  x.out.notes.key = x.who.key;
  x.out.notes.decision = x.verdict.decision;
  counters.count_decision(x.verdict.decision);
  counters.count_request(operation ? static_cast<std::size_t>(operation->id) : no_operation, x.out.status,
                         clock().boot - x.now.boot);
  if (x.out.status >= 500) log(severity::error, x.out.notes.error_code, x.out.notes.cause, x.req.request_id);
}

/// Costs nothing: the verdict is only looked at.
void service::refuse(errc e, std::string_view message, request const& partial, response& out) {
  auto& s = *impl_;
  auto const payer = s.access.payer_of_address(partial);
  auto const verdict = s.quotas.observe(payer, s.clock());
  out.clear();
  write_error({e, std::string{message}, {}}, out);
  if (e == errc::method_not_allowed) add_allow(s.router.match(partial.method, partial.path), out);
  add_content_fields(caching::none, out);
  limits::append_headers(out.fields, verdict, s.options.rate_limit_fields);
  s.cors.add_fields(partial, out);
  s.counters.count_protocol_refusal(out.status);
}

}  // namespace petstore::server
