// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/headers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "decimal.hpp"
#include "period_name.hpp"

namespace petstore::limits {
namespace {

using detail::period_name;

/// Less than 350 characters of names, thirteen numbers, and five names of periods.
constexpr std::size_t size_max = 350 + 13 * detail::decimal_size_max + 5 * period_name::size_max;

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
/// There must be room for the longest name.
char* put(char* to, period_name const& name) noexcept {
  std::memcpy(to, name.text.data(), period_name::size_max);
  return to + name.size;
}
template <class... Parts>
char* put(char* to, Parts const&... parts) noexcept {
  ((to = put(to, parts)), ...);
  return to;
}

/// The names of the two windows; without a long one, that of the short one twice.
struct names {
  period_name short_window;
  period_name long_window;
};

char* put_policy(char* to, notice const& n, names const& of, std::uint32_t in_flight_max) noexcept {
  to = put(to, "RateLimit-Policy: \"", of.short_window, "\";q=", n.short_window.quota, ";w=", n.short_window.window_s);
  if (n.has_long) to = put(to, ", \"", of.long_window, "\";q=", n.long_window.quota, ";w=", n.long_window.window_s);
  if (in_flight_max != 0) to = put(to, ", \"in-flight\";q=", in_flight_max, ";qu=\"concurrent-requests\"");
  return put(to, "\r\n");
}

inline char* put_quota(char* to, period_name const& name, quota_state const& state) noexcept {
  return put(to, "\"", name, "\";r=", state.remaining, ";t=", state.more_in_s);
}

/// A refusal lists the exhausted quotas. If none is exhausted, the refusal is a ban, which no quota explains, or comes
/// from getQuota's own limit, for which the quotas are shown as they are.
char* put_state(char* to, notice const& n, names const& of) noexcept {
  bool const some_exhausted = n.short_exhausted || n.long_exhausted;
  if (n.decision == decision::banned && !some_exhausted) return to;
  bool const lists_short = !some_exhausted || n.short_exhausted;
  bool const lists_long = n.has_long && (!some_exhausted || n.long_exhausted);
  to = put(to, "RateLimit: ");
  if (lists_short) to = put_quota(to, of.short_window, n.short_window);
  if (lists_short && lists_long) to = put(to, ", ");
  if (lists_long) to = put_quota(to, of.long_window, n.long_window);
  return put(to, "\r\n");
}

char* put_all(char* to, notice const& n, rate_limit_fields dialect, std::uint32_t in_flight_max) noexcept {
  period_name const short_name(n.short_window.period);
  names const of{short_name, n.has_long ? period_name(n.long_window.period) : short_name};
  to = put(to, "X-RateLimit-Limit: ", n.limit(), "\r\nX-RateLimit-Remaining: ", n.remaining);
  to = put(to, "\r\nX-RateLimit-Reset: ", n.reset_unix_s, "\r\nX-RateLimit-Resource: ");
  to = put(to, n.shown == resource::short_window ? of.short_window : of.long_window, "\r\n");
  if (dialect == rate_limit_fields::draft11) to = put_state(put_policy(to, n, of, in_flight_max), n, of);
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
