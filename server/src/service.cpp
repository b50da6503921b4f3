// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/service.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <optional>
#include <ranges>
#include <string>
#include <utility>

#include "access/access.hpp"
#include "access/client_address.hpp"
#include "api/answer.hpp"
#include "api/cors.hpp"
#include "api/documentation_redirects.hpp"
#include "api/exchange.hpp"
#include "api/operation_costs.hpp"
#include "api/operations.hpp"
#include "api/probes.hpp"
#include "api/router.hpp"
#include "request_task.hpp"

namespace petstore::server {

struct service::impl {
  impl(service_options const& o, service_parts p)
      : options{o},
        description{p.description ? std::move(p.description) : std::make_shared<page const>(make_description(o))},
        store{p.store.get()},
        quotas{p.quotas.get()},
        counters{p.counters.get()},
        state{p.state.get()},
        clock{std::move(p.clock)},
        log{std::move(p.log)},
        bans{p.bans},
        own_flights{p.flights ? nullptr : std::make_unique<in_flight>()},
        flights{p.flights ? *p.flights : *own_flights},
        access{options, p.keys.get(), quotas, p.check, counters} {
    if (p.watch) watching.emplace(*p.watch, counters);
  }

  request_task handle(request const&, response&);
  void find_route(exchange&);
  ports::eventual<limits::verdict> admit(exchange const&, in_flight::slot&);
  bool enter(exchange const&, in_flight::slot&);
  limits::verdict refuse_in_flight(exchange const&);
  ports::eventual<limits::verdict> charge(exchange const&);
  void apply(exchange&, limits::verdict const&);
  handlers::outcome answer(exchange&);
  void fail(exchange&, std::exception const&);
  static bool owes_refund(exchange const&);
  ports::eventual<limits::verdict> give_back(exchange const&);
  void complete(exchange&);

  std::string_view unauthorized_message(exchange const& x) const {
    return x.caller.gave_token ? wrong_key_message : no_key_message;
  }
  void refuse(exchange&, errc, std::string_view message = {}, std::string_view cause = {}) const;
  limits::resource add_limits(limits::verdict const&, std::uint32_t in_flight_max, response&) const;
  void record(exchange const&, limits::resource shown);

  service_options options;                  ///< const, except for reconfigure
  std::shared_ptr<page const> description;  ///< shared by the services of an application
  ports::store& store;
  ports::quota_source& quotas;
  metrics_shard& counters;
  readiness const& state;
  clock_function const clock;
  log_function const log;
  ban_log* const bans;  ///< may be null
  std::unique_ptr<in_flight> const own_flights;
  in_flight& flights;

  server::router const router{options.base_path, options.documentation};
  server::access access;
  std::optional<quota_watch::observer> watching;
  server::cors cors{options};
  operation_costs costs{options};
  server::constant_fields const constant_fields{options.base_path};
  std::string const no_key_message = std::string{describe(errc::unauthorized).message} + " " + where_to_read(options);
  std::string const wrong_key_message = "This API key is not valid. " + where_to_read(options);
};

namespace {

/// The row of the metrics for requests without an operation.
constexpr std::size_t no_operation = operation_count_max - 1;

limit_outcome outcome_of(limits::verdict const& v, limits::resource shown) noexcept {
  switch (v.decision) {
    case limits::decision::admitted: return limit_outcome::admitted;
    case limits::decision::banned: return v.begins_ban ? limit_outcome::ban_begun : limit_outcome::banned;
    case limits::decision::observed: return limit_outcome::observed;
    case limits::decision::rate_limited: break;
  }
  if (v.occasion == limits::occasion::inquiry) return limit_outcome::inquiry_refused;
  if (v.occasion == limits::occasion::in_flight) return limit_outcome::in_flight_refused;
  return shown == limits::resource::long_window ? limit_outcome::long_refused : limit_outcome::short_refused;
}

/// The reason why an admitted caller's request fails. The order matters: first whether the caller is known, then what
/// exists, then what the caller may do.
std::optional<errc> find_obstacle(exchange const& x) {
  if (x.is_preflight) return std::nullopt;
  if (x.caller.payer.kind == ports::payer::kind::address) return errc::unauthorized;
  bool const is_options = x.req.method == method::options;
  if (is_options && x.req.path == "*") return std::nullopt;  // the service as a whole (RFC 9110, 9.3.7)
  if (!x.where.may_exist()) return errc::not_found;
  if (is_options) return std::nullopt;
  if (!x.where.operation) return errc::method_not_allowed;
  bool const is_write = x.where.operation->scope == key_scope::write;
  if (is_write && x.caller.scope != key_scope::write) return errc::forbidden;
  // The other operations judge their bodies themselves.
  bool const takes_body = x.req.method == method::post || x.req.method == method::patch;
  if (x.req.body_too_large && !takes_body) return errc::payload_too_large;
  return std::nullopt;
}

}  // namespace

std::span<std::string_view const> operation_names() noexcept {
  static constexpr auto names = [] {
    std::array<std::string_view, operations.size()> all;
    std::ranges::transform(operations, all.begin(), &operation::name);
    return all;
  }();
  return names;
}

std::span<std::string_view const> charged_operation_names() noexcept {
  static constexpr auto takes_tokens = [](operation const& row) { return row.payment == payment::token; };
  static constexpr auto names = [] {
    std::array<std::string_view, static_cast<std::size_t>(std::ranges::count_if(operations, takes_tokens))> some;
    std::ranges::transform(operations | std::views::filter(takes_tokens), some.begin(), &operation::name);
    return some;
  }();
  return names;
}

service::service(service_options const& options, service_parts parts)
    : impl_{std::make_unique<impl>(options, std::move(parts))} {}

service::~service() = default;

asio::awaitable<void> service::handle(request const& req, response& out) {
  auto& s = *impl_;
  if (answer_probe(req, s.state, s.options, out)) return {};
  return s.handle(req, out).rest();
}

request_task service::impl::handle(request const& req, response& out) {
  exchange x{req, out, clock(), options, store, description};
  in_flight::slot slot;  // until the answer is made, or this coroutine is destroyed
  find_route(x);
  try {
    auto identifying = access.identify(x.req, x.payment(), x.now);
    bool const waits_for_caller = !identifying.is_ready();
    x.caller = co_await identifying;
    if (waits_for_caller) x.now = clock();
    x.step = request_step::charge;
    auto admitting = admit(x, slot);
    bool const waits_for_quotas = !admitting.is_ready();
    auto const verdict = co_await admitting;
    if (waits_for_quotas) x.quota_wait = clock().boot - x.now.boot;
    x.step = request_step::answer;
    apply(x, verdict);
    if (!x.is_refused) {
      auto answering = answer(x);
      auto const done = co_await answering;
      if (!done) refuse(x, done.error().code, done.error().message, done.error().cause);
    }
  } catch (std::exception const& e) {
    fail(x, e);
  }
  try {
    if (owes_refund(x)) {
      auto refunding = give_back(x);
      x.verdict = co_await refunding;
    }
  } catch (std::exception const& e) {
    log(severity::error, "refund_failed", e.what(), log_origin{req});
  }
  complete(x);
}

/// Comes first, since the route determines the cost of the request and whether it needs a key.
void service::impl::find_route(exchange& x) {
  x.where = router.match(x.req.method, x.req.path);
  x.is_preflight = cors.is_preflight(x.req);
}

/// Counts the request as in flight, and charges it. Beyond the limit it is refused, and the quotas are only read.
ports::eventual<limits::verdict> service::impl::admit(exchange const& x, in_flight::slot& slot) {
  if (enter(x, slot)) return charge(x);
  return refuse_in_flight(x);
}

/// Whether the request may be in flight; the slot counts it, where these are limited.
bool service::impl::enter(exchange const& x, in_flight::slot& slot) {
  std::uint32_t const most = options.requests_in_flight_per_key;
  if (most == 0 || x.caller.payer.kind != ports::payer::kind::identity) return true;
  slot = flights.enter(x.caller.identity, most);
  return static_cast<bool>(slot);
}

/// A caller who is banned is told of the ban, and not of its requests in flight.
limits::verdict service::impl::refuse_in_flight(exchange const& x) {
  auto verdict = quotas.observe(x.caller.payer, x.now);
  if (!verdict.refused()) {
    verdict.decision = limits::decision::rate_limited;
    verdict.occasion = limits::occasion::in_flight;
  }
  return verdict;
}

/// Charges the cost of the operation. A failing source of quotas refuses. A caller without a valid key is charged all
/// that its address has when the cost is higher: it has to learn that it needs a key.
ports::eventual<limits::verdict> service::impl::charge(exchange const& x) {
  bool const inquires = x.payment() == payment::inquiry && x.caller.key != 0;
  if (inquires) return quotas.charge_inquiry(x.caller.payer, x.now);
  auto cost = costs.of(x.where.operation);
  auto const& who = x.caller.payer;
  if (who.kind == ports::payer::kind::address && !limits::can_ever_pass(cost, who.plan)) {
    std::uint64_t all = who.plan.bucket();
    if (who.plan.long_window) all = std::min(all, who.plan.long_window.tokens());
    cost = *limits::cost::of(all);
  }
  return quotas.charge(who, cost, x.now);
}

/// Refuses the request if the quotas do.
void service::impl::apply(exchange& x, limits::verdict const& verdict) {
  x.verdict = verdict;
  if (verdict.decision == limits::decision::banned) {
    if (!verdict.can_ever_pass())
      x.verdict.cost = 1;  // so that the answer has the end of the ban; a later request is refused for its cost
    if (verdict.begins_ban && bans) bans->begin(x.caller.payer, x.caller.key, verdict, log_origin{x.req});
    bool const operator_did = x.now.wall < x.caller.operators_ban_until;
    refuse(x, errc::banned, operator_did ? "The operator has banned this API key until Retry-After has passed." : "");
  } else if (verdict.refused() && verdict.occasion == limits::occasion::in_flight) {
    refuse(x, errc::too_many_in_flight);
  } else if (verdict.refused() && !verdict.can_ever_pass()) {
    x.verdict.decision = limits::decision::observed;  // no quota is exhausted, so both are shown
    refuse(x, errc::forbidden,
           "This operation costs " + std::to_string(verdict.cost.tokens()) +
               " tokens, which is more than your quota has; waiting does not help.");
  } else if (verdict.refused()) {
    refuse(x, errc::rate_limited);
  }
}

handlers::outcome service::impl::answer(exchange& x) {
  if (auto const obstacle = find_obstacle(x)) {
    refuse(x, *obstacle, *obstacle == errc::unauthorized ? unauthorized_message(x) : "");
    return result<void>{};
  }
  if (x.is_preflight) {
    cors.answer_preflight(x.where, x.out);
    if (x.where.may_exist()) add_allow(x.where, x.out);
    return result<void>{};
  }
  if (x.req.method == method::options) {
    x.out.status = 204;
    add_allow(x.where, x.out);
    add_accept_patch(x.where, x.out);
    return result<void>{};
  }
  x.is_store_call = x.where.operation->payment == payment::token;
  return x.where.operation->handler(x);
}

/// Answers after an exception of a port or a handler: it says which step failed.
void service::impl::fail(exchange& x, std::exception const& e) {
  if (x.step == request_step::answer) {
    bool const lacks_memory = dynamic_cast<std::bad_alloc const*>(&e) != nullptr;
    return refuse(x, lacks_memory ? errc::unavailable : errc::internal, {}, lacks_memory ? "out of memory" : e.what());
  }
  std::string cause;
  if (x.step == request_step::identify) {
    x.now = clock();
    x.caller.payer = access.payer_of_address(x.req);
    cause = "the key cannot be checked: ";
  } else {
    x.quota_wait = clock().boot - x.now.boot;
    cause = "the quotas cannot be charged: ";
  }
  x.verdict = quotas.observe(x.caller.payer, x.now);
  refuse(x, errc::unavailable, {}, cause + e.what());
}

/// A request that failed by our fault costs nothing.
bool service::impl::owes_refund(exchange const& x) {
  return x.out.status >= 500 && x.verdict.admitted() && x.payment() != payment::inquiry;
}

ports::eventual<limits::verdict> service::impl::give_back(exchange const& x) {
  return quotas.refund(x.caller.payer, x.verdict, clock());
}

/// Adds the fields of every answer, and counts the request.
void service::impl::complete(exchange& x) {
  bool const is_page = x.where.operation && is_keyless(x.payment()) && x.out.status < 400;
  constant_fields.append(x.where.operation, is_page ? caching::revalidate : caching::none, x.out);
  bool const has_key = x.caller.payer.kind == ports::payer::kind::identity;
  auto const shown = add_limits(x.verdict, has_key ? options.requests_in_flight_per_key : 0, x.out);
  cors.add_fields(x.req, x.out);
  record(x, shown);
}

/// Adds the fields about quotas, and Retry-After. A 503 to a caller that the quotas refuse as well has the time of the
/// refusal, which is longer.
limits::resource service::impl::add_limits(limits::verdict const& v, std::uint32_t in_flight_max, response& out) const {
  if (out.status == 503 && !v.refused()) add_retry_after(out);
  return limits::append_headers(out.fields, v, options.rate_limit_fields, in_flight_max);
}

void service::impl::refuse(exchange& x, errc code, std::string_view message, std::string_view cause) const {
  x.is_refused = true;
  counters.count_error(code);
  write_error(code, message, cause, x.out);
  switch (code) {
    case errc::unauthorized: return add_challenge(x.caller.gave_token, x.out);
    case errc::method_not_allowed: return add_allow(x.where, x.out);
    case errc::unsupported_media_type: return add_accept_patch(x.where, x.out);
    default: return;
  }
}

/// `shown` is the quota that the answer's fields describe; after a refusal, the one that was empty.
void service::impl::record(exchange const& x, limits::resource shown) {
  auto const* operation = x.where.operation;
  x.out.notes.operation = operation ? operation->name : std::string_view{};
  x.out.notes.key = x.caller.key;
  x.out.notes.decision = x.verdict.decision;
  // No separate clock reading for quotas and store: if nothing was awaited, the quotas took no time.
  x.out.notes.quota_wait = x.quota_wait;
  x.out.notes.client = find_client_address(x.req, options);
  x.out.notes.handling = clock().boot - x.arrived.boot;
  auto const outcome = outcome_of(x.verdict, shown);
  counters.count_outcome(x.caller.plan_row, outcome);
  if (outcome == limit_outcome::short_refused)
    counters.count_empty(x.caller.plan_row, x.verdict.plan.short_window.period());
  if (outcome == limit_outcome::long_refused)
    counters.count_empty(x.caller.plan_row, x.verdict.plan.long_window.period());
  if (x.caller.key != 0) counters.count_key(x.caller.key, x.verdict, x.now.wall);
  if (watching) watching->look(x.caller.payer, x.caller.key, x.caller.identity, x.verdict, log_origin{x.req});
  counters.count_request(operation ? index_of(*operation) : no_operation, x.out.status, x.out.notes.handling,
                         x.req.request_id, x.now.wall);
  if (x.is_store_call)
    counters.count_store(operation->scope == key_scope::write,
                         x.out.notes.handling - x.quota_wait - (x.now.boot - x.arrived.boot));
  if (x.out.status >= 500) log(severity::error, x.out.notes.error_code, x.out.notes.cause, log_origin{x.req});
}

/// The refusal costs no token: the quotas are only read.
void service::refuse(errc e, std::string_view message, request const& partial, response& out) {
  auto& s = *impl_;
  auto const payer = s.access.payer_of_address(partial);
  auto const verdict = s.quotas.observe(payer, s.clock());
  out.clear();
  out.notes.client = find_client_address(partial, s.options);
  write_error(e, message, {}, out);
  if (e == errc::method_not_allowed) add_allow(s.router.match(partial.method, partial.path), out);
  s.constant_fields.append(nullptr, caching::none, out);
  s.add_limits(verdict, 0, out);
  s.cors.add_fields(partial, out);
  s.counters.count_protocol_refusal(out.status);
  s.counters.count_error(e);
}

void service::reconfigure(service_options const& fresh, std::shared_ptr<page const> description) {
  auto& s = *impl_;
  s.costs = operation_costs{fresh};
  s.options.costs = fresh.costs;
  s.options.requests_in_flight_per_key = fresh.requests_in_flight_per_key;
  s.options.anonymous = fresh.anonymous;
  s.options.cors_origins = fresh.cors_origins;
  s.cors = server::cors{s.options};
  if (description) s.description = std::move(description);
}

}  // namespace petstore::server
