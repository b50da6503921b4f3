// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <boost/describe/enum.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "petstore/enumeration.hpp"

namespace petstore::server {

/// The labels of one counter. Most families have one label, or none.
struct counter_labels {
  std::string_view first{};   ///< empty: there is none
  std::string_view second{};  ///< empty: there is one at most
};
/// The labels of a family that is one counter.
inline constexpr std::array<counter_labels, 1> no_labels{};
/// The labels of a family that counts by a described enumeration: the names of its enumerators.
template <class Enum>
inline constexpr auto labels_of = [] {
  std::array<counter_labels, enumerators<Enum>.size()> labels;
  for (auto const& known : enumerators<Enum>) labels[static_cast<std::size_t>(known.value)] = {known.word};
  return labels;
}();

/// @{
/// The marks of a long window's quota whose crossing is told, in percent; the labels of those who crossed them.
inline constexpr std::array<unsigned, 2> quota_marks{80, 100};
inline constexpr std::array<counter_labels, 2> quota_mark_labels{{{"80"}, {"100"}}};
/// @}

/// The reason why a connection was refused.
enum class refusal_reason : std::uint8_t {
  full,                  ///< every connection slot was taken; 503, or closed where that would need a TLS handshake
  address_full,          ///< its address had as many connections as it may have; the same
  no_descriptor,         ///< the process could open no more files; the same
  untrusted_peer,        ///< only trusted proxies may connect, and it came from another address
  handshakes_spent,      ///< its address had used its TLS handshakes of the minute; closed
  handshakes_under_way,  ///< its address had as many incomplete handshakes as it may have; closed
};
/// In the order of refusal_reason.
inline constexpr std::array<counter_labels, 6> refusal_labels{{{"max_connections"},
                                                               {"connections_per_address"},
                                                               {"no_descriptor"},
                                                               {"untrusted_peer"},
                                                               {"tls_handshakes_per_minute"},
                                                               {"tls_handshakes_under_way"}}};

/// The reason why a connection was ended although its client might have sent more requests.
enum class shed_reason : std::uint8_t {
  made_way,   ///< it had waited long for its client when its slot was needed
  behind,     ///< requests waited too long for the thread, and its answer said `Connection: close`
  abandoned,  ///< the same, and its client had sent a request and then ended its direction
};
BOOST_DESCRIBE_ENUM(shed_reason, made_way, behind, abandoned)

/// The kind of a completed TLS handshake: full, or resumed from an earlier session.
enum class handshake : std::uint8_t {
  full_1_2,     ///< TLS 1.2
  resumed_1_2,  ///< TLS 1.2, with a ticket
  full_1_3,     ///< TLS 1.3
  resumed_1_3,  ///< TLS 1.3, with a ticket
};
/// In the order of handshake.
inline constexpr std::array<counter_labels, 4> handshake_labels{
    {{"1.2", "no"}, {"1.2", "yes"}, {"1.3", "no"}, {"1.3", "yes"}}};

/// The reason why a TLS handshake failed.
enum class handshake_failure : std::uint8_t {
  plain_text,   ///< the client spoke HTTP without TLS
  malformed,    ///< the client's bytes are not TLS, or break its rules
  unsupported,  ///< client and server have no version, cipher, group, signature or protocol (ALPN) in common
  certificate,  ///< the client showed no certificate where one is required, or one that is not trusted
  rejected,     ///< the client refused, most often because it does not trust the server's certificate
  timeout,      ///< it was not complete within `header_timeout`
  closed,       ///< the connection ended first
  other,        ///< not the client's fault: out of memory, a fault
};
BOOST_DESCRIBE_ENUM(handshake_failure, plain_text, malformed, unsupported, certificate, rejected, timeout, closed,
                    other)

/// The families of counters that a thread counts for itself by `metrics_shard::count`. Each has a row in
/// `counter_families`, at the same index.
enum class counted : std::uint8_t {
  thresholds,           ///< by the index of quota_marks
  connections_refused,  ///< by refusal_reason
  connections_shed,     ///< by shed_reason
  handshakes,           ///< by handshake
  handshakes_failed,    ///< by handshake_failure
};

/// The section of the page of metrics that has a family.
enum class counter_group : std::uint8_t { limiter, connections, tls };

/// A family of counters as the page of metrics and its manual show it: one counter for each of `values`.
struct counter_family {
  counted family;                                      ///< the index of this row
  counter_group group;                                 ///< where it stands
  std::string_view name;                               ///< with the suffix `_total`
  std::string_view help;                               ///< a sentence
  std::string_view details{};                          ///< what the manual says after it, in Markdown
  counter_labels labels{};                             ///< the names of the labels
  std::span<counter_labels const> values = no_labels;  ///< the values of the labels
};

/// Every family that `metrics_shard::count` counts. The page /metrics and docs/metrics.md follow from these rows.
inline constexpr std::array counter_families{
    counter_family{counted::thresholds,
                   counter_group::limiter,
                   "petstore_limiter_thresholds_total",
                   "Identities that have used that part of the quota of their long window.",
                   "`percent` is `80` or `100`; [logs.md](logs.md) has the event `quota_threshold`.",
                   {"percent"},
                   quota_mark_labels},
    counter_family{
        counted::connections_refused,
        counter_group::connections,
        "petstore_connections_refused_total",
        "Connections that were not taken.",
        "They got a 503, or were closed where that would have needed a TLS handshake, because `max_connections` or "
        "`connections_per_address` is reached or `no_descriptor` is left; they came from an `untrusted_peer` where "
        "only trusted proxies may connect; they were closed "
        "because their address has spent its `tls_handshakes_per_minute`, or has half of its connections in "
        "`tls_handshakes_under_way`.",
        {"reason"},
        refusal_labels},
    counter_family{counted::connections_shed,
                   counter_group::connections,
                   "petstore_connections_shed_total",
                   "Connections that were ended to make room or to shorten the wait.",
                   "They `made_way` for others after a long wait for their client, their thread was `behind` with its "
                   "requests, or in that case their client had `abandoned` a request.",
                   {"reason"},
                   labels_of<shed_reason>},
    counter_family{counted::handshakes,
                   counter_group::tls,
                   "petstore_tls_handshakes_total",
                   "TLS handshakes that were completed.",
                   "`version` is `1.2` or `1.3`, `resumed` is `yes` or `no`.",
                   {"version", "resumed"},
                   handshake_labels},
    counter_family{
        counted::handshakes_failed,
        counter_group::tls,
        "petstore_tls_handshakes_failed_total",
        "TLS handshakes that failed, by reason.",
        "The client spoke HTTP in `plain_text`, its bytes were `malformed`, the two sides have no common "
        "version or cipher (`unsupported`: an old client), its `certificate` is missing or not trusted, it "
        "`rejected` the server's certificate (most often), it took longer than `header-timeout` (`timeout`), "
        "the connection was `closed` (also by a check that only connects), `other`.",
        {"reason"},
        labels_of<handshake_failure>},
};
static_assert(std::ranges::all_of(counter_families, [](counter_family const& f) {
  return &f == &counter_families[static_cast<std::size_t>(f.family)];
}));  // each at its index

/// The row of a family.
constexpr counter_family const& family_of(counted family) noexcept {
  return counter_families[static_cast<std::size_t>(family)];
}

/// The index of the first counter of each family, and behind the last one the number of all counters.
inline constexpr auto first_counters = [] {
  std::array<std::size_t, counter_families.size() + 1> first{};
  for (std::size_t i = 0; i < counter_families.size(); ++i) first[i + 1] = first[i] + counter_families[i].values.size();
  return first;
}();

/// @{
/// The index of a counter among all counters of all families.
constexpr std::size_t counter_index(counted family, std::size_t which = 0) noexcept {
  return first_counters[static_cast<std::size_t>(family)] + which;
}
constexpr std::size_t counter_index(refusal_reason r) noexcept {
  return counter_index(counted::connections_refused, static_cast<std::size_t>(r));
}
constexpr std::size_t counter_index(shed_reason r) noexcept {
  return counter_index(counted::connections_shed, static_cast<std::size_t>(r));
}
constexpr std::size_t counter_index(handshake h) noexcept {
  return counter_index(counted::handshakes, static_cast<std::size_t>(h));
}
constexpr std::size_t counter_index(handshake_failure f) noexcept {
  return counter_index(counted::handshakes_failed, static_cast<std::size_t>(f));
}
/// @}

}  // namespace petstore::server
