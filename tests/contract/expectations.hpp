// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "contract/http_client.hpp"

namespace contract {

// Checks that must hold for every answer. They assert with Boost.Test, so only the main thread may call them.

struct expected_answer {
  bool to_head = false;
  // Caches may store the documents, and must revalidate them; they must not store any other answer.
  bool is_document = false;
  // When getQuota's own limit refuses a request, the rate headers still describe the quotas of the identity.
  bool is_quota_report = false;
};

// The buffer that a proxy needs for a head.
constexpr std::size_t answer_head_bytes_max = 2048;

void expect_complete(const answer& got, const expected_answer& kind = {});
void expect_error(const answer& got, int status, std::string_view code);

// An item of a list such as `"minute";q=60;w=60, "day";q=1000;w=86400`.
struct quota_item {
  std::string name;
  std::map<std::string, std::int64_t> parameters;
};
std::vector<quota_item> parse_quota_items(std::string_view text);
// The item of that name in the field; throws if there is none.
quota_item quota_item_of(const answer& got, std::string_view header, std::string_view name);

// The quota that X-RateLimit-* describe.
void expect_shown(const answer& got, std::string_view resource, std::int64_t limit, std::int64_t remaining);
// Checks a time that was computed at an unknown moment: it must be from `least` to `most`, apart from rounding.
void expect_between(std::int64_t value, std::int64_t least, std::int64_t most);

// The time of an IMF-fixdate in seconds since 1970; throws if the text is not exactly an IMF-fixdate.
std::int64_t seconds_of_date(const std::string& text);

// The members of a comma-separated list, such as Allow.
std::vector<std::string> list_members(std::string_view text);
bool list_has(std::string_view list, std::string_view member);

}  // namespace contract
