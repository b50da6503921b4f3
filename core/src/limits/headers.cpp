// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/headers.hpp"

#include <charconv>
#include <string_view>

namespace petstore::limits {
namespace {

/// Writes into a block of characters that is large enough for everything one verdict can say, so that the string grows
/// once. `size_max` is checked by a test with the longest numbers there are.
class field_writer {
 public:
  explicit field_writer(std::string& out) : out_(out), written_(out.size()) { out_.resize(written_ + size_max); }
  ~field_writer() { out_.resize(written_); }
  field_writer(field_writer const&) = delete;
  field_writer& operator=(field_writer const&) = delete;

  field_writer& operator<<(std::string_view text) {
    text.copy(out_.data() + written_, text.size());
    written_ += text.size();
    return *this;
  }
  template <class Integer>
  field_writer& number(Integer n) {
    auto const end = std::to_chars(out_.data() + written_, out_.data() + out_.size(), n).ptr;
    written_ = static_cast<std::size_t>(end - out_.data());
    return *this;
  }

  static constexpr std::size_t size_max = 512;

 private:
  std::string& out_;
  std::size_t written_;
};

void write_policy(field_writer& out, verdict const& v) {
  (out << "RateLimit-Policy: \"minute\";q=").number(v.minute.quota) << ";w=60";
  if (v.has_day) (out << ", \"day\";q=").number(v.day.quota) << ";w=86400";
  out << "\r\n";
}

void write_quota(field_writer& out, std::string_view name, quota_state const& q) {
  ((out << name << ";r=").number(q.remaining) << ";t=").number(q.more_in_s);
}

/// A refusal lists what was exhausted. One that has nothing exhausted is a ban, which no quota explains, or getQuota's
/// own limit, which shows the quotas as they are.
void write_state(field_writer& out, verdict const& v) {
  bool const some_exhausted = v.minute_exhausted || v.day_exhausted;
  if (v.decision == decision::banned && !some_exhausted) return;
  bool const lists_minute = !some_exhausted || v.minute_exhausted;
  bool const lists_day = v.has_day && (!some_exhausted || v.day_exhausted);
  out << "RateLimit: ";
  if (lists_minute) write_quota(out, "\"minute\"", v.minute);
  if (lists_minute && lists_day) out << ", ";
  if (lists_day) write_quota(out, "\"day\"", v.day);
  out << "\r\n";
}

}  // namespace

void append_headers(std::string& to, verdict const& v, rate_limit_fields dialect) {
  field_writer out(to);
  (out << "X-RateLimit-Limit: ").number(v.limit());
  (out << "\r\nX-RateLimit-Remaining: ").number(v.remaining);
  (out << "\r\nX-RateLimit-Reset: ").number(v.reset_unix_s);
  out << "\r\nX-RateLimit-Resource: " << (v.shown == resource::minute ? "minute\r\n" : "day\r\n");
  if (dialect == rate_limit_fields::draft11) {
    write_policy(out, v);
    write_state(out, v);
  }
  if (v.refused()) (out << "Retry-After: ").number(v.retry_after_s) << "\r\n";
}

}  // namespace petstore::limits
