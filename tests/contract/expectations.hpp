// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "contract/http_client.hpp"

namespace contract {

// What must hold for every answer, whatever was asked. These assert with Boost.Test, so they belong on the main thread.

struct expected_answer {
  bool to_head = false;
  // The documents that are not errors may be kept by caches after asking again; nothing else may.
  bool is_document = false;
  // On the own limit of getQuota the rate headers go on describing the quotas of the identity.
  bool is_quota_report = false;
};

// What a proxy has to have room for.
constexpr std::size_t answer_head_bytes_max = 2048;

void expect_complete(const answer& got, const expected_answer& kind = {});
void expect_error(const answer& got, int status, std::string_view code);

// A list as `"minute";q=60;w=60, "day";q=1000;w=86400`.
struct quota_item {
  std::string name;
  std::map<std::string, std::int64_t> parameters;
};
std::vector<quota_item> parse_quota_items(std::string_view text);
// The item of that name in the field; throws when there is none.
quota_item quota_item_of(const answer& got, std::string_view header, std::string_view name);

// The second that an IMF-fixdate names; throws unless it is one to the letter.
std::int64_t seconds_of_date(const std::string& text);

// The members of a comma-separated list, such as Allow.
std::vector<std::string> list_members(std::string_view text);
bool list_has(std::string_view list, std::string_view member);

}  // namespace contract
