// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <string>

namespace petstore::tests {

/// A certificate and its key, as PEM text.
struct identity {
  std::string certificate;
  std::string key;
};

/// From now on.
struct validity {
  std::chrono::hours begin{-24};
  std::chrono::hours end{30 * 24};
};

/// An authority that nobody else believes, made when it is asked for, and what it signs.
class authority {
 public:
  explicit authority(std::string const& name);
  std::string const& certificate() const { return own_.certificate; }

  /// Names as OpenSSL writes them: "DNS:localhost,IP:127.0.0.1".
  identity issue(std::string const& names, validity = {}) const;

 private:
  std::string name_;
  identity own_;
};

/// For these names, believed by nobody.
identity self_signed(validity = {}, std::string const& names = "DNS:localhost,IP:127.0.0.1");
/// The same text whoever asks, so that a program has one.
identity const& identity_of_tests();

/// The same key under a passphrase.
std::string with_passphrase(std::string const& key_pem);

}  // namespace petstore::tests
