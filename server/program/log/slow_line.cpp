// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/slow_line.hpp"

#include <algorithm>

#include "petstore/key_record.hpp"

namespace petstore::program {
namespace {

using std::chrono::nanoseconds;

/// Returns whole microseconds. The parts may be measured by different clocks, so a difference may be slightly negative;
/// that becomes 0.
std::int64_t whole_us(nanoseconds time) {
  return std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::microseconds>(time).count());
}

}  // namespace

void append_slow_line(std::string& out, log_time time, server::access_record const& r) {
  auto line = begin_log_line(out, time, server::severity::warning, "slow_request", {}, server::log_origin{r.request});
  auto const& notes = r.response.notes;
  if (notes.key != 0) line.add("key", key_id(notes.key));
  if (!notes.operation.empty()) line.add("operation", notes.operation);
  line.add("status", r.response.status)
      .add("duration_us", whole_us(r.duration))
      .add("read_us", whole_us(r.read))
      .add("quota_us", whole_us(notes.quota_wait))
      .add("store_us", whole_us(notes.handling - notes.quota_wait))
      .add("write_us", whole_us(r.duration - r.read - notes.handling))
      .close();
}

}  // namespace petstore::program
