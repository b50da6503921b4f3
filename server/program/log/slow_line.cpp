// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/slow_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace petstore::program {
namespace {

using std::chrono::nanoseconds;

/// Whole microseconds; parts that were measured by different clocks may come out a moment below nothing.
std::int64_t whole_us(nanoseconds time) {
  return std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::microseconds>(time).count());
}

}  // namespace

void append_slow_line(std::string& out, log_time time, server::access_record const& r) {
  append_log_line(out, time, server::severity::warning, "slow_request", {}, server::log_origin{r.request});
  out.pop_back();  // the brace, as there is more to say
  auto const& notes = r.response.notes;
  auto const end = std::back_inserter(out);
  if (notes.key != 0) fmt::format_to(end, R"(,"key":"k{}")", notes.key);
  if (!notes.operation.empty()) fmt::format_to(end, R"(,"operation":"{}")", notes.operation);
  fmt::format_to(end, R"(,"status":{},"duration_us":{},"read_us":{},"quota_us":{},"store_us":{},"write_us":{}}})",
                 r.response.status, whole_us(r.duration), whole_us(r.read), whole_us(notes.quota_wait),
                 whole_us(notes.handling - notes.quota_wait), whole_us(r.duration - r.read - notes.handling));
}

}  // namespace petstore::program
