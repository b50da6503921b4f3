// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "contract/expectations.hpp"

#include <time.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <charconv>
#include <cstdlib>

namespace contract {
namespace {

const std::map<std::string, int, std::less<>> status_of_code{{"invalid_request", 400},
                                                             {"malformed_http", 400},
                                                             {"unauthorized", 401},
                                                             {"forbidden", 403},
                                                             {"not_found", 404},
                                                             {"method_not_allowed", 405},
                                                             {"request_timeout", 408},
                                                             {"conflict", 409},
                                                             {"precondition_failed", 412},
                                                             {"payload_too_large", 413},
                                                             {"uri_too_long", 414},
                                                             {"unsupported_media_type", 415},
                                                             {"expectation_failed", 417},
                                                             {"rate_limited", 429},
                                                             {"too_many_in_flight", 429},
                                                             {"banned", 429},
                                                             {"headers_too_large", 431},
                                                             {"internal", 500},
                                                             {"not_implemented", 501},
                                                             {"unavailable", 503},
                                                             {"http_version_not_supported", 505}};

const std::map<std::string, std::int64_t> length_of_window{
    {"second", 1}, {"minute", 60}, {"hour", 3600}, {"day", 86400}};

bool is_visible_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

// The numbers of an answer are rounded to seconds, and Date is from a slightly later moment.
constexpr std::int64_t rounding_seconds = 2;

void expect_admission(const answer& got, const std::vector<quota_item>& policy) {
  const auto items = parse_quota_items(got["RateLimit"]);
  const std::string& resource = got["X-RateLimit-Resource"];
  BOOST_TEST(items.size() == policy.size());
  const quota_item shown = quota_item_of(got, "RateLimit", resource);
  BOOST_TEST(shown.parameters.at("r") == got.integer("X-RateLimit-Remaining"));
  for (const quota_item& item : items) {
    BOOST_TEST(item.parameters.at("r") >= shown.parameters.at("r"));
    if (item.parameters.at("r") == shown.parameters.at("r")) {
      BOOST_TEST(item.parameters.at("t") <= shown.parameters.at("t"));
    }
  }
}

void expect_refusal(const answer& got, bool banned) {
  const std::int64_t retry_after = got.integer("Retry-After");
  BOOST_TEST(retry_after >= 1);
  BOOST_TEST(got.integer("X-RateLimit-Remaining") == 0);
  if (banned && !got.has("RateLimit")) {
    BOOST_TEST(got["X-RateLimit-Resource"] == "minute");
    return;
  }
  std::int64_t last = 0;
  for (const quota_item& item : parse_quota_items(got["RateLimit"])) {
    BOOST_TEST(item.parameters.at("r") == 0);
    last = std::max(last, item.parameters.at("t"));
  }
  BOOST_TEST(quota_item_of(got, "RateLimit", got["X-RateLimit-Resource"]).parameters.at("t") == last);
  if (banned) {
    BOOST_TEST(retry_after >= last);
  } else {
    BOOST_TEST(retry_after == last);
  }
}

void expect_rate_headers(const answer& got, const expected_answer& kind) {
  const auto policy = parse_quota_items(got["RateLimit-Policy"]);
  for (const quota_item& item : policy) {
    const std::int64_t length = item.parameters.at("w");
    if (item.name == "month") {
      BOOST_TEST((length >= 28 * 86400 && length <= 31 * 86400 && length % 86400 == 0));
    } else {
      BOOST_TEST(length == length_of_window.at(item.name));
    }
  }
  const std::string& resource = got["X-RateLimit-Resource"];
  const std::int64_t limit = got.integer("X-RateLimit-Limit");
  BOOST_TEST(quota_item_of(got, "RateLimit-Policy", resource).parameters.at("q") == limit);
  BOOST_TEST(got.integer("X-RateLimit-Remaining") >= 0);
  BOOST_TEST(got.integer("X-RateLimit-Remaining") <= limit);

  const bool banned = got.status == 429 && (kind.to_head ? !got.has("RateLimit") : got.code() == "banned");
  if (banned || (got.status == 429 && !kind.is_quota_report)) {
    expect_refusal(got, banned);
  } else {
    expect_admission(got, policy);
  }
  // A periodic quota is full when its next tokens come, at the end of the period. A continuous bucket is full later.
  const std::int64_t now = seconds_of_date(got["Date"]);
  const std::int64_t wait = got.has("RateLimit") ? quota_item_of(got, "RateLimit", resource).parameters.at("t") : 0;
  BOOST_TEST(got.integer("X-RateLimit-Reset") >= now + wait - rounding_seconds);
}

}  // namespace

void expect_complete(const answer& got, const expected_answer& kind) {
  BOOST_TEST_CONTEXT("answer " << got.status << " " << got.body.substr(0, 300)) {
    BOOST_TEST(seconds_of_date(got["Date"]) >= got.asked_at - rounding_seconds);
    BOOST_TEST(seconds_of_date(got["Date"]) <= got.received_at + rounding_seconds);
    BOOST_TEST(!got["X-Request-Id"].empty());
    BOOST_TEST(got["X-Request-Id"].size() <= 128);
    BOOST_TEST(is_visible_ascii(got["X-Request-Id"]));
    BOOST_TEST(got.head_bytes <= answer_head_bytes_max);
    BOOST_TEST(got["X-Content-Type-Options"] == "nosniff");
    const bool may_be_kept = kind.is_document && got.status < 400;
    BOOST_TEST(got["Cache-Control"] == (may_be_kept ? "no-cache" : "no-store"));
    if (!got.body.empty()) BOOST_TEST(got["Content-Type"] == "application/json");
    if (kind.to_head) BOOST_TEST(got.body.empty());
    expect_rate_headers(got, kind);

    if (got.status == 401) BOOST_TEST(got["WWW-Authenticate"].starts_with("Bearer realm=\"petstore\""));
    if (got.status == 405) BOOST_TEST(!got["Allow"].empty());
    if (got.status == 503) BOOST_TEST(got.integer("Retry-After") >= 1);
    if (got.status >= 400 && !kind.to_head) {
      const json error = got.value();
      BOOST_TEST(error.size() == 3U);
      BOOST_TEST(error["status"].integer() == got.status);
      BOOST_TEST(!error["message"].text().empty());
      const auto known = status_of_code.find(error["code"].text());
      BOOST_REQUIRE_MESSAGE(known != status_of_code.end(), "unknown code " << error["code"].text());
      BOOST_TEST(known->second == got.status);
    }
  }
}

void expect_error(const answer& got, int status, std::string_view code) {
  BOOST_TEST_CONTEXT("answer " << got.status << " " << got.body.substr(0, 300)) {
    BOOST_TEST(got.status == status);
    if (got.status >= 400) BOOST_TEST(got.code() == code);
  }
}

void expect_shown(const answer& got, std::string_view resource, std::int64_t limit, std::int64_t remaining) {
  BOOST_TEST(got["X-RateLimit-Resource"] == resource);
  BOOST_TEST(got.integer("X-RateLimit-Limit") == limit);
  BOOST_TEST(got.integer("X-RateLimit-Remaining") == remaining);
}

void expect_between(std::int64_t value, std::int64_t least, std::int64_t most) {
  BOOST_TEST(value >= least - 2);
  BOOST_TEST(value <= most + 2);
}

std::vector<quota_item> parse_quota_items(std::string_view text) {
  std::vector<quota_item> items;
  for (const std::string& member : list_members(text)) {
    quota_item item;
    std::size_t at = member.find('"', 1);
    if (member[0] != '"' || at == std::string::npos) throw http_error("not a list of quotas: " + std::string(text));
    item.name = member.substr(1, at - 1);
    for (++at; at < member.size();) {
      const std::size_t equals = member.find('=', at);
      if (member[at] != ';' || equals == std::string::npos) throw http_error("parameters of " + member);
      std::int64_t value = 0;
      const char* const begin = member.data() + equals + 1;
      const auto [end, error] = std::from_chars(begin, member.data() + member.size(), value);
      if (error != std::errc()) throw http_error("parameters of " + member);
      if (!item.parameters.emplace(member.substr(at + 1, equals - at - 1), value).second) {
        throw http_error("a parameter given twice: " + member);
      }
      at = static_cast<std::size_t>(end - member.data());
    }
    items.push_back(std::move(item));
  }
  return items;
}

quota_item quota_item_of(const answer& got, std::string_view header, std::string_view name) {
  for (quota_item& item : parse_quota_items(got[header])) {
    if (item.name == name) return item;
  }
  throw http_error(std::string(header) + " lacks " + std::string(name) + ": " + got[header]);
}

std::int64_t seconds_of_date(const std::string& text) {
  static constexpr const char* format = "%a, %d %b %Y %H:%M:%S GMT";
  tm parts{};
  const char* const end = ::strptime(text.c_str(), format, &parts);
  if (!end || *end) throw http_error("not a date: " + text);
  const time_t seconds = ::timegm(&parts);
  char again[64];
  ::strftime(again, sizeof again, format, &parts);
  if (text != again) throw http_error("not a date: " + text);
  return seconds;
}

std::vector<std::string> list_members(std::string_view text) {
  std::vector<std::string> members;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view member = text.substr(0, comma);
    while (member.starts_with(' ')) member.remove_prefix(1);
    while (member.ends_with(' ')) member.remove_suffix(1);
    if (member.empty()) throw http_error("an empty member in a list");
    members.emplace_back(member);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return members;
}

bool list_has(std::string_view list, std::string_view member) {
  const auto members = list_members(list);
  return std::find(members.begin(), members.end(), member) != members.end();
}

}  // namespace contract
