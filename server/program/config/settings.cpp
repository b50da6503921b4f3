// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/settings.hpp"

#include <algorithm>
#include <array>

#include "config/values.hpp"
#include "petstore/server/application.hpp"

namespace petstore::program {
namespace {

using namespace std::chrono_literals;
using std::string_view;

constexpr std::int64_t kib = 1024;
constexpr std::int64_t gib = 1024 * 1024 * 1024;

std::optional<std::string> parse_quota(string_view text) {
  if (text == "local") return std::nullopt;
  for (string_view const scheme :
       {"redis://", "rediss://", "redis+sentinel://", "rediss+sentinel://", "redis+cluster://", "rediss+cluster://"}) {
    if (text.starts_with(scheme) && text.size() > scheme.size()) return std::string(text);
  }
  throw value_error(
      "is none of local, redis://…, redis+sentinel://… and redis+cluster://…, nor one of these with rediss");
}

std::optional<pet_status> parse_default_status(string_view text) {
  constexpr string_view no_status = "none";
  if (text == no_status) return std::nullopt;
  return parse_enumerator<pet_status>(text, no_status);
}

/// Parses each part of a list.
template <class Value>
std::vector<Value> parse_each(string_view text, Value (*parse)(string_view)) {
  std::vector<Value> values;
  for (auto const& part : parse_list(text)) values.push_back(parse(part));
  return values;
}

server::address_range parse_range(string_view text) {
  if (auto const range = server::address_range::parse(text)) return *range;
  throw value_error("is not a list of addresses and ranges such as 10.0.0.0/8,2001:db8::/32");
}

/// PETSTORE_TLS_KEY_FILE names a file that contains the setting, and the setting is again the name of a file. A user
/// may put the key itself into the first file by mistake. Then the error says so, and the key is never shown.
std::filesystem::path parse_pem_file(string_view text) {
  if (text.find("-----BEGIN") != string_view::npos)
    throw value_error("is the content of a PEM file; give the name of the file");
  return std::filesystem::path(text);
}

std::size_t parse_threads(string_view text) {
  return text == "auto" ? 0 : parse_integer_as<std::size_t>(text, 1, 256);
}

std::optional<std::size_t> parse_share(string_view text) {
  if (text == "auto") return std::nullopt;
  return parse_integer_as<std::size_t>(text, 1, 1'000'000);
}

std::optional<std::uint32_t> parse_handshakes(string_view text) {
  if (text == "auto") return std::nullopt;
  return parse_integer_as<std::uint32_t>(text, 1, limits::short_tokens_max);
}

constexpr string_view where = "Addresses";
constexpr string_view tls_group = "TLS";
constexpr string_view data = "Data";
constexpr string_view connections = "Connections";
constexpr string_view limits_group = "Limits";
constexpr string_view behaviour = "Behaviour";
constexpr string_view logs = "Logs";

constexpr bool reloads = true;

// clang-format off
constexpr std::array table{
  setting{where, "listen", "listen", "ADDRESS:PORT", "127.0.0.1:8080",
    "where the service listens; port 0 takes a free one", false,
    [](settings& s, string_view t) { s.listen = parse_endpoint(t); }},
  setting{where, "admin-listen", "admin_listen", "ADDRESS:PORT", "127.0.0.1:9090",
    "where the console, /livez, /readyz and /metrics listen; keep it off the internet", false,
    [](settings& s, string_view t) { s.admin_listen = parse_endpoint(t); }},
  setting{where, "admin-token-file", "admin_token_file", "FILE", "",
    "has a line NAME ROLE TOKEN (role viewer or operator) for each token of the administration API and the console's actions; "
    "without it there are none", false,
    [](settings& s, string_view t) { s.admin_token_file = t; }},
  setting{where, "admin-hosts", "admin_hosts", "NAMES", "",
    "names under which the console may be opened, beside localhost and addresses in numbers (a page of another site could "
    "otherwise read it under a name of its own)", true,
    [](settings& s, string_view t) { s.admin_hosts = parse_each(t, parse_host_name); }, reloads},
  setting{where, "environment", "environment", "NAME", "production",
    "production or staging; recorded in a new store, and keys carry it in their prefix", false,
    [](settings& s, string_view t) { s.service.environment = parse_enumerator<environment>(t); }},
  setting{where, "base-path", "base_path", "PATH", "/v1",
    "path under which the operations are served", false,
    [](settings& s, string_view t) { s.service.base_path = parse_base_path(t); }},
  setting{where, "base-url", "base_url", "URL", "auto",
    "public address of production, for the OpenAPI document; auto: the listening address", false,
    [](settings& s, string_view t) { if (t == "auto") s.base_url.reset(); else s.base_url = parse_base_url(t); }},
  setting{where, "contact", "contact", "CONTACT", "",
    "whom users of the service may ask, for the OpenAPI document: a URL or an e-mail address", false,
    [](settings& s, string_view t) { s.service.contact = t.empty() ? "" : parse_contact(t); }},
  setting{where, "staging-base-url", "staging_base_url", "URL", "auto",
    "public address of staging, for the OpenAPI document; auto: the listening address", false,
    [](settings& s, string_view t) {
      if (t == "auto") s.staging_base_url.reset(); else s.staging_base_url = parse_base_url(t); }},
  setting{where, "trusted-proxies", "trusted_proxies", "RANGES", "",
    "addresses and ranges of proxies: never banned, and may ask /livez and /readyz", true,
    [](settings& s, string_view t) { s.service.trusted_proxies = parse_each(t, parse_range); }},
  setting{where, "forwarded", "forwarded", "FIELD", "x-forwarded-for",
    "where the trusted proxies say who their client is: x-forwarded-for or forwarded; the other one is not looked at",
    false,
    [](settings& s, string_view t) {
      using server::forwarding_field;
      s.service.forwarded_by = parse_choice<forwarding_field>(
          t, {{"x-forwarded-for", forwarding_field::x_forwarded_for}, {"forwarded", forwarding_field::forwarded}}); }},
  setting{where, "proxy-protocol", "proxy_protocol", "WHETHER", "off",
    "required: each connection comes from a trusted proxy and begins with a PROXY header, version 1 or 2", false,
    [](settings& s, string_view t) {
      s.expects_proxy_header = parse_choice<bool>(t, {{"off", false}, {"required", true}}); }},

  setting{tls_group, "tls-cert", "tls.cert", "FILE", "",
    "PEM file with the certificate of the service and those that lead to its root: speak HTTPS, on --listen", false,
    [](settings& s, string_view t) { s.tls.certificates = parse_pem_file(t); }},
  setting{tls_group, "tls-key", "tls.key", "FILE", "",
    "PEM file with the private key of that certificate, without a passphrase", false,
    [](settings& s, string_view t) { s.tls.private_key = parse_pem_file(t); }},
  setting{tls_group, "tls-client-ca", "tls.client_ca", "FILE", "",
    "PEM file with the authorities that may have signed clients' certificates", false,
    [](settings& s, string_view t) { s.tls.client_authorities = parse_pem_file(t); }},
  setting{tls_group, "tls-client-auth", "tls.client_auth", "WHETHER", "off",
    "whether clients show a certificate: off, optional or required; they need an API key all the same", false,
    [](settings& s, string_view t) { s.tls.clients = parse_enumerator<server::client_certificates>(t); }},
  setting{tls_group, "tls-handshakes-per-minute", "tls.handshakes_per_minute", "N", "auto",
    "handshakes from one address (IPv6: one /64) that is no trusted proxy, which it may spend at once; more are closed "
    "before any cryptography; auto: 1200, and any number for this machine",
    false,
    [](settings& s, string_view t) { s.tls_handshakes_per_minute = parse_handshakes(t); }, reloads},

  setting{data, "store", "store", "URI", "",
    "lmdb:DIRECTORY; postgres://… (as libpq reads it) for many nodes; memory: for data that is gone with the process",
    false,
    [](settings& s, string_view t) { if (t.empty()) s.store.reset(); else s.store = parse_store_address(t); }},
  setting{data, "store-size", "store_size", "BYTES", "64GiB",
    "size at which an lmdb store refuses additions and changes with 503; address space, taken from the disk as it fills", false,
    [](settings& s, string_view t) { s.store_bytes_max = parse_size(t, 1024 * kib, 16 * 1024 * gib); }},
  setting{data, "write-wait", "write_wait", "DURATION", "500ms",
    "how long a write may have to wait until its commit to an lmdb store begins; when it would be longer, and more wait than "
    "one commit takes, it is answered 503 at once",
    false,
    [](settings& s, string_view t) { s.write_wait_max = parse_duration(t, 1ms, 1min); }},
  setting{data, "store-connections", "store_connections", "N", "2",
    "connections of each thread to PostgreSQL; with more than one, the first is for reads", false,
    [](settings& s, string_view t) { s.store_connections = parse_integer_as<std::size_t>(t, 1, 64); }},
  setting{data, "quota", "quota", "URI", "local",
    "where quotas are counted; local: by this process, kept beside an lmdb store; redis://…, rediss://…, "
    "redis+sentinel://… or redis+cluster://…: by all nodes together; rediss:// takes ?ca=FILE, server_name=NAME, "
    "cert=FILE and key=FILE", false,
    [](settings& s, string_view t) { s.quota.redis = parse_quota(t); }},
  setting{data, "quota-failure", "quota_failure", "POLICY", "degraded",
    "while Redis does not answer, when the tokens at hand are used up: degraded (each node grants its share), closed (503) "
    "or open (all is admitted)", false,
    [](settings& s, string_view t) { s.quota.on_failure = parse_enumerator<quota_failure>(t); }},
  setting{data, "quota-mode", "quota_mode", "MODE", "leased",
    "leased: take tokens from Redis ahead of need; strict: ask for each request", false,
    [](settings& s, string_view t) { s.quota.strict = parse_choice<bool>(t, {{"leased", false}, {"strict", true}}); }},
  setting{data, "quota-deadline", "quota_deadline", "DURATION", "250ms",
    "how long a request waits for an answer of Redis; twice that, when a question for the same key is under way", false,
    [](settings& s, string_view t) { s.quota.deadline = parse_duration(t, 1ms, 10s); }},
  setting{data, "quota-nodes", "quota_nodes", "N", "1",
    "how many nodes share the quotas at least: under degraded, none grants more than an N-th, also one that starts while "
    "Redis is gone and knows of no other",
    false,
    [](settings& s, string_view t) { s.quota.nodes_min = parse_integer_as<std::uint32_t>(t, 1, 10'000); }},
  setting{data, "demo", "demo", "", "false",
    "fill an empty store with sample animals and print a key (plan business); an lmdb: store keeps it for the next start",
    false,
    [](settings& s, string_view t) { s.demo = parse_boolean(t); }},

  setting{connections, "threads", "threads", "N", "auto",
    "threads that serve connections; auto: one for each processor", false,
    [](settings& s, string_view t) { s.threads = parse_threads(t); }},
  setting{connections, "max-connections", "max_connections", "N", "10000",
    "open connections; more are answered 503 and closed", false,
    [](settings& s, string_view t) { s.connections_max = parse_integer_as<std::size_t>(t, 1, 1'000'000); }, reloads},
  setting{connections, "connections-per-address", "connections_per_address", "N", "auto",
    "of these, from one address (IPv6: one /64) that is no trusted proxy; auto: a quarter, and all for this machine",
    false,
    [](settings& s, string_view t) { s.connections_of_address_max = parse_share(t); }, reloads},
  setting{connections, "header-timeout", "header_timeout", "DURATION", "10s",
    "from the first byte of a request to the end of its head", false,
    [](settings& s, string_view t) { s.connections.header_timeout = parse_duration(t, 1ms, 24h); }, reloads},
  setting{connections, "request-timeout", "request_timeout", "DURATION", "30s",
    "from the first byte of a request to the end of its body", false,
    [](settings& s, string_view t) { s.connections.request_timeout = parse_duration(t, 1ms, 24h); }, reloads},
  setting{connections, "idle-timeout", "idle_timeout", "DURATION", "75s",
    "how long a connection may stay open between two requests", false,
    [](settings& s, string_view t) { s.connections.idle_timeout = parse_duration(t, 1ms, 24h); }, reloads},
  setting{connections, "write-timeout", "write_timeout", "DURATION", "30s",
    "how long a client may take to receive an answer", false,
    [](settings& s, string_view t) { s.connections.write_timeout = parse_duration(t, 1ms, 24h); }, reloads},
  setting{connections, "crowded-timeout", "crowded_timeout", "DURATION", "2s",
    "when max-connections is reached: how long a connection may wait for its client before a new one replaces it", false,
    [](settings& s, string_view t) { s.connections.crowded_timeout = parse_duration(t, 1ms, 24h); }, reloads},
  setting{connections, "drain-delay", "drain_delay", "DURATION", "0s",
    "after SIGTERM: how long to go on accepting, not ready, with Connection: close", false,
    [](settings& s, string_view t) { s.drain_delay = parse_duration(t, 0ms, 1h); }, reloads},
  setting{connections, "drain-timeout", "drain_timeout", "DURATION", "20s",
    "after the drain delay: how long requests that were accepted may take to finish", false,
    [](settings& s, string_view t) { s.drain_timeout = parse_duration(t, 0ms, 1h); }, reloads},
  setting{connections, "request-line-limit", "request_line_limit", "BYTES", "8KiB",
    "longest request line; a longer one is answered 414", false,
    [](settings& s, string_view t) { s.connections.request_line_bytes_max = parse_size(t, 16, 1024 * kib); }, reloads},
  setting{connections, "header-limit", "header_limit", "BYTES", "8KiB",
    "all header fields together; more are answered 431", false,
    [](settings& s, string_view t) { s.connections.header_bytes_max = parse_size(t, 64, 1024 * kib); }, reloads},
  setting{connections, "header-fields", "header_fields", "N", "100",
    "number of header fields; more are answered 431", false,
    [](settings& s, string_view t) { s.connections.header_fields_max = parse_integer_as<std::size_t>(t, 1, 10'000); }, reloads},
  setting{connections, "body-limit", "body_limit", "BYTES", "64KiB",
    "longest body; a longer one is answered 413", false,
    [](settings& s, string_view t) { s.connections.body_bytes_max = parse_size(t, 1, 64 * 1024 * kib); }, reloads},

  setting{limits_group, "anonymous-per-minute", "anonymous_per_minute", "N", "60",
    "requests a minute for each address without a valid key", false,
    [](settings& s, string_view t) {
      s.service.anonymous.short_window = *limits::short_window::of(limits::per_minute(parse_integer(t, 1, limits::short_tokens_max))); },
    reloads},
  setting{limits_group, "anonymous-addresses", "anonymous_addresses", "N", "65536",
    "addresses that have a bucket of their own at one time; more share overflow buckets", false,
    [](settings& s, string_view t) { s.anonymous_addresses_max = parse_integer_as<std::size_t>(t, 64, 16'777'216); }},
  setting{limits_group, "requests-in-flight-per-key", "requests_in_flight_per_key", "N", "0",
    "requests of one key, or of keys that share its quotas, that a node works on at a time; more are answered 429 and cost "
    "no token; 0: any number", false,
    [](settings& s, string_view t) {
      s.service.requests_in_flight_per_key = parse_integer_as<std::uint32_t>(t, 0, 1'000'000); }, reloads},
  setting{limits_group, "rate-limit-fields", "rate_limit_fields", "DIALECT", "draft11",
    "draft11: also send RateLimit and RateLimit-Policy as that draft has them; off: only X-RateLimit-*", false,
    [](settings& s, string_view t) {
      s.service.rate_limit_fields = parse_choice<limits::rate_limit_fields>(
          t, {{"draft11", limits::rate_limit_fields::draft11}, {"off", limits::rate_limit_fields::off}}); }},
  setting{limits_group, "webhook", "webhook", "URL", "",
    "http or https address that is told, by a signed POST, when an identity has used 80 % and 100 % of the quota of its "
    "long window; needs webhook-secret-file", false,
    [](settings& s, string_view t) { if (t.empty()) s.webhook.reset(); else s.webhook = parse_webhook_address(t); }},
  setting{limits_group, "webhook-secret-file", "webhook_secret_file", "FILE", "",
    "has the secret that signs what is sent to the webhook: 32 characters or more, in a file that others may not read", false,
    [](settings& s, string_view t) { s.webhook_secret_file = t; }},
  setting{limits_group, "ban-strikes", "ban.strikes", "N", "100",
    "refusals a client may ignore before it is banned; 0 turns bans off", false,
    [](settings& s, string_view t) { s.bans.strikes = parse_integer_as<std::uint32_t>(t, 0, 1'000'000); }, reloads},
  setting{limits_group, "ban-grace", "ban.grace", "DURATION", "250ms",
    "time after a first refusal in which more refusals are no strikes", false,
    [](settings& s, string_view t) { s.bans.grace = parse_duration(t, 0ms, 1min); }, reloads},
  setting{limits_group, "ban-base", "ban.base", "DURATION", "60s",
    "length of a first ban; each further one within 24 h is twice as long", false,
    [](settings& s, string_view t) { s.bans.base = parse_duration(t, 1s, 24h); }, reloads},
  setting{limits_group, "ban-max", "ban.max", "DURATION", "1h",
    "length of the longest ban", false,
    [](settings& s, string_view t) { s.bans.max = parse_duration(t, 1s, 24h); }, reloads},

  setting{behaviour, "default-status", "default_status", "STATUS", "none",
    "status of a new animal whose request has none: none, available, pending or sold", false,
    [](settings& s, string_view t) { s.service.default_status = parse_default_status(t); }},
  setting{behaviour, "require-known-category", "require_known_category", "", "false",
    "refuse an animal whose category does not exist", false,
    [](settings& s, string_view t) { s.service.require_known_category = parse_boolean(t); }},
  setting{behaviour, "unknown-parameters", "unknown_parameters", "HOW", "ignore",
    "what a list does with a query parameter that it does not know, such as a misspelled filter: ignore, or refuse (400)",
    false,
    [](settings& s, string_view t) {
      s.service.refuse_unknown_parameters = parse_choice<bool>(t, {{"ignore", false}, {"refuse", true}}); }},
  setting{behaviour, "cors-origins", "cors_origins", "ORIGINS", "",
    "origins whose pages may call the service from a browser; * for any; none: CORS is off", true,
    [](settings& s, string_view t) { s.service.cors_origins = parse_each(t, parse_origin); }, reloads},

  setting{logs, "log-file", "log_file", "FILE", "",
    "file to append the log to instead of standard error; opened anew on SIGHUP; or stdout", false,
    [](settings& s, string_view t) { s.log.file = std::string(t); }},
  setting{logs, "log-level", "log_level", "LEVEL", "info",
    "least severe lines to write: debug, info, warning or error", false,
    [](settings& s, string_view t) { s.log.level = parse_enumerator<server::severity>(t); }, reloads},
  setting{logs, "access-log", "access_log", "WHERE", "log",
    "a line for each answer: off, stderr, stdout, log (where the log goes) or a file", false,
    [](settings& s, string_view t) {
      if (t.empty()) throw value_error("is none of off, stderr, stdout, log or a file");
      s.log.access = std::string(t); }},
  setting{logs, "access-log-sample", "access_log_sample", "N", "1",
    "write one access line of N, chosen at random; errors and slow requests always get a line, but of 429, of "
    "5xx and of errors without a valid key only 100 a second and thread", false,
    [](settings& s, string_view t) { s.log.access_one_in = parse_integer_as<std::uint32_t>(t, 1, 1'000'000); }, reloads},
  setting{logs, "slow-request", "slow_request", "DURATION", "1s",
    "a request that takes this long gets a line in the log, which says where the time went; 0s: off",
    false,
    [](settings& s, string_view t) { s.log.slow = parse_duration(t, 0ms, 1h); }, reloads},
};
// clang-format on

}  // namespace

std::string setting::variable() const {
  std::string out = "PETSTORE_";
  for (char const c : name) out += c == '-' ? '_' : static_cast<char>(c - 'a' + 'A');
  return out;
}

std::span<setting const> all_settings() {
  return table;
}

setting const* find_setting_by_file_key(string_view key) {
  auto const row = std::ranges::find(table, key, &setting::file_key);
  return row == table.end() ? nullptr : &*row;
}

plan_table standard_plans() {
  return server::application_options{}.plans;
}

}  // namespace petstore::program
