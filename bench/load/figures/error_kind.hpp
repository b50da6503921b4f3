// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace petstore::load {

/// Why a request did not get the expected answer. Each kind is counted separately, with one example.
enum class error_kind : std::uint8_t {
  none,
  resolve,            ///< the target's name has no address
  refused,            ///< no server listens at the address
  unreachable,        ///< the connection could not be made for another reason
  connect_timeout,    ///< the connection was not made in time
  tls,                ///< the handshake failed, or the certificate is not trusted
  timeout,            ///< no complete answer in time
  closed,             ///< the connection ended before the answer was complete
  malformed,          ///< the bytes are not an answer of HTTP/1.1
  too_large,          ///< the answer exceeds a limit of the tool
  no_descriptor,      ///< this process, or the machine, has no descriptor or port left
  unexpected_status,  ///< an answer, with a status that the operation does not expect
  missing_value,      ///< an answer without a value that a later step needs
  unsent,             ///< due, but never sent: too many were waiting, or the run ended first
  unfinished,         ///< under way when the run ended
};
inline constexpr std::size_t error_kinds = 15;

/// The name in reports, in JSON and in `--fail-if 'errors(connect-timeout)>0'`.
std::string_view name_of(error_kind) noexcept;
std::optional<error_kind> error_kind_named(std::string_view) noexcept;
/// One sentence for readers of a report.
std::string_view meaning_of(error_kind) noexcept;

}  // namespace petstore::load
