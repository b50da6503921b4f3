// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_sessions.hpp"

#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "petstore/hex.hpp"

namespace petstore::program {
namespace {

std::string make_secret() {
  std::array<unsigned char, 32> bytes{};
  if (RAND_priv_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
    throw std::runtime_error("OpenSSL has no random bytes");
  return to_hex(bytes);
}

}  // namespace

std::string admin_sessions::begin(sha256_digest const& token, limits::instant now) {
  auto secret = make_secret();
  make_space(token, now);
  sessions_.emplace(sha256(secret), session{token, now.boot});
  return secret;
}

std::optional<sha256_digest> admin_sessions::use(std::string_view secret, limits::instant now) {
  auto const at = sessions_.find(sha256(secret));
  if (at == sessions_.end()) return std::nullopt;
  if (now.boot - at->second.used >= idle_max) {
    sessions_.erase(at);
    return std::nullopt;
  }
  at->second.used = now.boot;
  return at->second.token;
}

void admin_sessions::end(std::string_view secret) {
  sessions_.erase(sha256(secret));
}

void admin_sessions::keep_only(std::function<bool(sha256_digest const&)> const& is_known) {
  std::erase_if(sessions_, [&](auto const& s) { return !is_known(s.second.token); });
}

/// Removes the sessions that have ended, and the one of this token that was used longest ago if it has the most that it
/// may have.
void admin_sessions::make_space(sha256_digest const& token, limits::instant now) {
  std::erase_if(sessions_, [&](auto const& s) { return now.boot - s.second.used >= idle_max; });
  auto const is_of_token = [&](auto const& s) { return s.second.token == token; };
  auto const count = std::ranges::count_if(sessions_, is_of_token);
  if (static_cast<std::size_t>(count) < per_token_max) return;
  auto oldest = std::ranges::find_if(sessions_, is_of_token);
  for (auto s = oldest; s != sessions_.end(); ++s)
    if (is_of_token(*s) && s->second.used < oldest->second.used) oldest = s;
  sessions_.erase(oldest);
}

}  // namespace petstore::program
