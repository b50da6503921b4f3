// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <chrono>
#include <mutex>
#include <optional>
#include <span>

namespace petstore::server::tls {

/// The keys that protect session tickets, in which clients keep the sessions of the server (RFC 5077; RFC 8446, 4.6.1).
/// A key makes tickets for one lifetime and is accepted for one more; then it is erased. So recorded traffic cannot be
/// decrypted with keys that are found in the process later.
///
/// Thread safety: any thread.
class ticket_keys {
 public:
  using time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds lifetime{3'600};

  struct key {
    std::array<unsigned char, 16> name{};
    std::array<unsigned char, 32> cipher{};  ///< AES-256-CBC
    std::array<unsigned char, 32> mac{};     ///< HMAC-SHA-256
  };
  struct found_key {
    server::tls::ticket_keys::key key;
    bool is_current = false;
  };

  ticket_keys() = default;
  ~ticket_keys();
  ticket_keys(ticket_keys const&) = delete;
  ticket_keys& operator=(ticket_keys const&) = delete;

  /// The key for new tickets; nullopt when the system has no random numbers.
  std::optional<key> current(time now);
  /// The key of a ticket, as long as it is accepted.
  std::optional<found_key> find(std::span<unsigned char const, 16> name, time now);

 private:
  void age(time now);

  std::mutex mutex_;
  std::optional<key> current_;
  std::optional<key> previous_;
  time made_at_;  ///< of the current key
  time previous_ends_at_;
};

}  // namespace petstore::server::tls
