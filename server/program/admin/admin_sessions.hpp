// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/api_key.hpp"
#include "petstore/limits/instant.hpp"

namespace petstore::program {

/// The sessions of those who are signed in to the console. A session stands for the token that it began with, and has a
/// secret of its own. Only digests are kept, and only in memory: a restart ends every session. One thread.
class admin_sessions {
 public:
  /// A session that is not used for so long has ended.
  static constexpr std::chrono::hours idle_max{12};
  /// A token has no more sessions at a time: one more ends the one that was used longest ago. So nobody can end the
  /// sessions of another token.
  static constexpr std::size_t per_token_max = 16;

  /// Begins a session, and returns its secret: 64 hexadecimal digits. Throws std::runtime_error when OpenSSL's random
  /// generator fails.
  std::string begin(sha256_digest const& token, limits::instant now);
  /// Returns the token of a session, which counts as a use of it; nullopt if there is no such session.
  std::optional<sha256_digest> use(std::string_view secret, limits::instant now);
  void end(std::string_view secret);
  /// Ends the sessions of every token that is not known.
  void keep_only(std::function<bool(sha256_digest const&)> const& is_known);

  std::size_t size() const noexcept { return sessions_.size(); }

 private:
  struct session {
    sha256_digest token;
    limits::boot_time used;
  };
  void make_space(sha256_digest const& token, limits::instant now);

  std::map<sha256_digest, session> sessions_;  ///< by the digest of the secret
};

}  // namespace petstore::program
