// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "service_fixture.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include "access/client_address.hpp"
#include "api/operations.hpp"
#include "described_answers.hpp"
#include "failing_store.hpp"
#include "http/field.hpp"
#include "petstore/quota/local.hpp"
#include "petstore/storage/memory.hpp"

namespace petstore::server {
namespace {

/// Takes `Name: value\r\n` lines apart, and holds them to that form.
std::vector<std::pair<std::string, std::string>> parse_fields(std::string_view lines) {
  std::vector<std::pair<std::string, std::string>> fields;
  while (!lines.empty()) {
    auto const end = lines.find("\r\n");
    BOOST_REQUIRE_MESSAGE(end != std::string_view::npos, "a field line without its end");
    std::string_view const line = lines.substr(0, end);
    lines.remove_prefix(end + 2);
    auto const colon = line.find(": ");
    BOOST_REQUIRE_MESSAGE(colon != std::string_view::npos && line.find_first_of("\r\n") == std::string_view::npos,
                          "not a field line: " << line);
    fields.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
  return fields;
}

answer to_answer(response const& out) {
  return {out.status,          parse_fields(out.fields),          out.body,        std::string{out.notes.operation},
          out.notes.key,       std::string{out.notes.error_code}, out.notes.cause, out.notes.handling,
          out.notes.quota_wait};
}

bool is_page(std::string_view name) {
  return std::ranges::any_of(operations,
                             [&](operation const& op) { return op.name == name && is_keyless(op.payment); });
}

/// Every answer of a matched operation is held against the document, whatever else a test asks of it.
void check_by_document(answer const& a) {
  static described_answers const judge{openapi_document({})};
  if (a.operation.empty() || is_page(a.operation)) return;
  for (auto const& fault : judge.judge(a.operation, a.status, a.fields, a.body))
    BOOST_ERROR(a.operation << " " << a.status << ": " << fault);
}

/// A question as the session would hand it over.
struct held_request {
  explicit held_request(question q) : asked{std::move(q)} {
    if (!asked.key.empty()) asked.fields.emplace_back("Authorization", "Bearer " + asked.key);
    if (asked.body && !asked.content_type.empty()) asked.fields.emplace_back("Content-Type", asked.content_type);
    for (auto const& [name, value] : asked.fields) fields.push_back({name, value});
    req.method = asked.method;
    req.target = asked.target;
    auto const mark = req.target.find('?');
    req.path = req.target.substr(0, mark);
    if (mark != std::string_view::npos) req.query = req.target.substr(mark + 1);
    req.fields = fields;
    req.has_body = asked.body.has_value();
    req.body_too_large = asked.body_too_large;
    if (asked.body) req.body = *asked.body;
    req.request_id = "test-request";
    req.peer = parse_address(asked.peer).value();
  }

  question asked;
  std::vector<header_field> fields;
  request req;
};

}  // namespace

std::string answer::field(std::string_view name) const {
  auto const found = all(name);
  BOOST_REQUIRE_MESSAGE(found.size() <= 1, name << " is there " << found.size() << " times");
  return found.empty() ? "" : found.front();
}

std::vector<std::string> answer::all(std::string_view name) const {
  std::vector<std::string> found;
  for (auto const& [n, value] : fields)
    if (equals_ignoring_case(n, name)) found.push_back(value);
  return found;
}

boost::json::value answer::json() const {
  boost::system::error_code fault;
  auto value = boost::json::parse(body, fault);
  BOOST_REQUIRE_MESSAGE(!fault, "not JSON: " << body);
  return value;
}

std::string answer::message() const {
  auto const value = json();
  BOOST_REQUIRE_MESSAGE(value.is_object() && value.as_object().contains("message"), "no error: " << body);
  return std::string{value.at("message").as_string()};
}

void check_error(answer const& a, errc e) {
  auto const& row = describe(e);
  BOOST_TEST(a.status == row.status);
  auto const body = a.json();
  BOOST_REQUIRE(body.is_object());
  BOOST_TEST(body.as_object().size() == 3u);
  BOOST_TEST(std::string_view{body.at("code").as_string()} == row.code);
  BOOST_TEST(body.at("status").as_int64() == row.status);
  BOOST_TEST(!a.message().empty());
  BOOST_TEST(a.error_code == row.code);
  BOOST_TEST(a.field("Content-Type") == "application/json");
  BOOST_TEST(a.field("X-Content-Type-Options") == "nosniff");
  BOOST_TEST(a.field("Cache-Control") == "no-store");
}

service_fixture::service_fixture(service_options o, limits::ban_policy rules)
    : virtual_clock{{limits::boot_time{std::chrono::hours{2}}, limits::wall_time{std::chrono::seconds{1'795'262'400}}}},
      options{std::move(o)} {
  shop = std::make_unique<failing_store>(storage::make_memory_store(options.environment));
  quota::local_options local;
  local.bans = rules;
  local.clock = clock();
  quotas = quota::open_local_quota(local);
  bans = std::make_unique<ban_log>(*quotas, logger());
  plan_table const plans{{"free", {limits::per_minute(60), limits::per_day(1'000)}},
                         {"pro", {limits::per_minute(300), limits::per_day(10'000)}},
                         {"business", {limits::per_minute(1'000), limits::per_day(100'000)}}};
  watcher = std::make_unique<key_watcher>(context.get_executor(), *shop, *quotas, keys, plans, clock(), logger());
  refresh_keys();
  auto with_bans = parts();
  with_bans.bans = bans.get();
  with_bans.watch = &watch_;
  tested = std::make_unique<service>(options, std::move(with_bans));
}

service_fixture::~service_fixture() = default;

service_parts service_fixture::parts() {
  return {.store = *shop,
          .quotas = *quotas,
          .keys = keys,
          .counters = counters.shard(0),
          .state = state,
          .clock = clock(),
          .log = logger()};
}

clock_function service_fixture::clock() {
  return [this] { return now; };
}

log_function service_fixture::logger() {
  return [this](severity, std::string_view event, std::string_view detail, log_origin const& origin) {
    log.push_back(std::string{event}.append(": ").append(detail).append(" [").append(origin.request_id).append("]"));
  };
}

answer service_fixture::ask(question q) {
  held_request const held{std::move(q)};
  response out;
  auto rest = tested->handle(held.req, out);
  if (rest.valid()) run(std::move(rest));
  auto a = to_answer(out);
  check_by_document(a);
  return a;
}

answer service_fixture::get(std::string target, std::string key) {
  return ask({.target = std::move(target), .key = std::move(key)});
}

answer service_fixture::send(method m, std::string target, std::string key, std::string body) {
  return ask({.method = m, .target = std::move(target), .key = std::move(key), .body = std::move(body)});
}

answer service_fixture::refuse(errc e, std::string_view message, question partial) {
  held_request const held{std::move(partial)};
  response out;
  tested->refuse(e, message, held.req, out);
  return to_answer(out);
}

std::string service_fixture::make_key(std::string plan, key_scope scope,
                                      std::optional<std::chrono::milliseconds> expires_in,
                                      std::optional<std::uint32_t> per_minute, std::optional<std::uint64_t> per_day) {
  std::array<unsigned char, 32> secret{};
  secret[31] = static_cast<unsigned char>(++keys_made_);
  std::string const key = make_api_key(options.environment, secret);
  create_key command;
  set_key(command, key);
  command.plan = std::move(plan);
  command.scope = scope;
  command.per_minute = per_minute;
  command.per_day = per_day;
  if (expires_in) {
    command.expires_at = std::chrono::time_point_cast<std::chrono::milliseconds>(now.wall) + *expires_in;
  }
  change_keys(std::move(command));
  return key;
}

void service_fixture::store_key_change(key_command command) {
  unix_ms const at = std::chrono::time_point_cast<std::chrono::milliseconds>(now.wall);
  auto const changed = run(shop->change_keys(std::move(command), at, "test", std::nullopt));
  BOOST_REQUIRE_MESSAGE(changed, changed.error().message);
}

void service_fixture::change_keys(key_command command) {
  store_key_change(std::move(command));
  refresh_keys();
}

void service_fixture::refresh_keys() {
  auto const done = try_to_refresh_keys();
  BOOST_REQUIRE_MESSAGE(done, done.error().message);
}

result<void> service_fixture::try_to_refresh_keys() {
  error why;
  try {
    run(watcher->async_refresh(why));
    return {};
  } catch (boost::system::system_error const&) {
    return why;
  }
}

void service_fixture::fail_store_with(std::optional<error> e) {
  shop->failure = std::move(e);
}
void service_fixture::throw_from_store(bool yes) {
  shop->throws = yes;
}
ports::store& service_fixture::store() {
  return *shop;
}

}  // namespace petstore::server
