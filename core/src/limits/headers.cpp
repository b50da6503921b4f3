// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/headers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "decimal.hpp"

namespace petstore::limits {
namespace {

/// Less than 350 characters of names, and twelve numbers.
constexpr std::size_t size_max = 350 + 12 * detail::decimal_size_max;

// Each function writes one part at `to` and returns its end. The position is a value and not a member of a writer
// object: a store through a char pointer might change the member, so it would be loaded again for each part.

/// Takes only literals, so that each is copied as a few words of known size.
template <std::size_t Size>
char* put(char* to, char const (&text)[Size]) noexcept {
  std::memcpy(to, text, Size - 1);
  return to + (Size - 1);
}
char* put(char* to, std::uint64_t n) noexcept {
  return detail::write_decimal(to, n);
}
char* put(char* to, std::uint32_t n) noexcept {
  return put(to, std::uint64_t{n});
}
char* put(char* to, std::int64_t n) noexcept {
  return put(to, static_cast<std::uint64_t>(std::max<std::int64_t>(0, n)));
}
template <class... Parts>
char* put(char* to, Parts const&... parts) noexcept {
  ((to = put(to, parts)), ...);
  return to;
}

char* put_policy(char* to, notice const& n, std::uint32_t in_flight_max) noexcept {
  to = put(to, "RateLimit-Policy: \"minute\";q=", n.minute.quota);
  to = n.minute.window_s == 60 ? put(to, ";w=60") : put(to, ";w=", n.minute.window_s);
  if (n.has_day) to = put(to, ", \"day\";q=", n.day.quota, ";w=86400");
  if (in_flight_max != 0) to = put(to, ", \"in-flight\";q=", in_flight_max, ";qu=\"concurrent-requests\"");
  return put(to, "\r\n");
}

/// A refusal lists the exhausted quotas. If none is exhausted, the refusal is a ban, which no quota explains, or comes
/// from getQuota's own limit, for which the quotas are shown as they are.
char* put_state(char* to, notice const& n) noexcept {
  bool const some_exhausted = n.minute_exhausted || n.day_exhausted;
  if (n.decision == decision::banned && !some_exhausted) return to;
  bool const lists_minute = !some_exhausted || n.minute_exhausted;
  bool const lists_day = n.has_day && (!some_exhausted || n.day_exhausted);
  to = put(to, "RateLimit: ");
  if (lists_minute) to = put(to, "\"minute\";r=", n.minute.remaining, ";t=", n.minute.more_in_s);
  if (lists_minute && lists_day) to = put(to, ", ");
  if (lists_day) to = put(to, "\"day\";r=", n.day.remaining, ";t=", n.day.more_in_s);
  return put(to, "\r\n");
}

char* put_all(char* to, notice const& n, rate_limit_fields dialect, std::uint32_t in_flight_max) noexcept {
  to = put(to, "X-RateLimit-Limit: ", n.limit(), "\r\nX-RateLimit-Remaining: ", n.remaining);
  to = put(to, "\r\nX-RateLimit-Reset: ", n.reset_unix_s, "\r\nX-RateLimit-Resource: ");
  to = n.shown == resource::minute ? put(to, "minute\r\n") : put(to, "day\r\n");
  if (dialect == rate_limit_fields::draft11) to = put_state(put_policy(to, n, in_flight_max), n);
  if (n.refused() && n.retry_after_s > 0) to = put(to, "Retry-After: ", n.retry_after_s, "\r\n");
  return to;
}

}  // namespace

resource append_headers(std::string& out, verdict const& v, rate_limit_fields dialect, std::uint32_t in_flight_max) {
  std::array<char, size_max> block;
  notice const numbers = tell(v);
  char const* const end = put_all(block.data(), numbers, dialect, in_flight_max);
  out.append(block.data(), static_cast<std::size_t>(end - block.data()));
  return numbers.shown;
}

}  // namespace petstore::limits
