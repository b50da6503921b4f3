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

/// When a certificate is valid, relative to the time at which it is made.
struct validity {
  std::chrono::hours begin{-24};
  std::chrono::hours end{30 * 24};
};

/// A certificate authority that only tests trust. It is made by the constructor, and issues certificates.
class authority {
 public:
  explicit authority(std::string const& name);
  std::string const& certificate() const { return own_.certificate; }

  /// A certificate for these names, which have OpenSSL's format: "DNS:localhost,IP:127.0.0.1".
  identity issue(std::string const& names, validity = {}) const;

 private:
  std::string name_;
  identity own_;
};

/// A self-signed certificate for these names.
identity self_signed(validity = {}, std::string const& names = "DNS:localhost,IP:127.0.0.1");
/// A self-signed certificate that is the same for the whole program.
identity const& identity_of_tests();

/// The key, encrypted with a passphrase.
std::string with_passphrase(std::string const& key_pem);

}  // namespace petstore::tests
