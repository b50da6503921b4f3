// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/describe/enum.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/export.hpp"

namespace petstore::server {

/// Whether clients show a certificate of their own. An untrusted certificate ends the handshake, even where
/// certificates are optional.
enum class client_certificates : std::uint8_t { off, optional, required };
BOOST_DESCRIBE_ENUM(client_certificates, off, optional, required)

/// The certificates and the key of encrypted connections, as PEM text.
struct PETSTORE_EXPORT tls_credentials {
  std::string certificates = {};        ///< the server's own first, then those that lead to its root
  std::string private_key = {};         ///< of the first certificate, without a passphrase
  std::string client_authorities = {};  ///< that may sign clients' certificates; empty where these are off
  client_certificates clients = client_certificates::off;  ///< whether clients show certificates
};

/// The same, in files.
struct PETSTORE_EXPORT tls_files {
  std::filesystem::path certificates = {};                 ///< PEM, the server's own first
  std::filesystem::path private_key = {};                  ///< PEM, without a passphrase
  std::filesystem::path client_authorities = {};           ///< may be empty where clients' certificates are off
  client_certificates clients = client_certificates::off;  ///< whether clients show certificates

  friend bool operator==(tls_files const&, tls_files const&) = default;
};

/// Credentials that cannot be used. The text is a sentence without the name of the part; `of` names the part.
struct PETSTORE_EXPORT tls_error : std::runtime_error {
  /// The part of the credentials.
  enum class part : std::uint8_t { certificates, private_key, client_authorities };

  /// `why`: a sentence without the name of the part.
  tls_error(part p, std::string const& why) : std::runtime_error(why), of{p} {}
  part of;  ///< the part at fault
};

/// Reads the files, and throws tls_error when one of them cannot be read. It does not check the contents.
[[nodiscard]] PETSTORE_EXPORT tls_credentials read_tls_files(tls_files const&);

/// The credentials and rules of encrypted connections: `listener_options::tls`.
///
/// It speaks TLS 1.2 and 1.3 with forward secrecy and authenticated encryption only (Mozilla's "intermediate" list
/// without the finite-field groups), X25519, P-256 and P-384, and ALPN `http/1.1`. It does no renegotiation, no
/// compression and no early data. It ignores SNI: there is one certificate for all names. Sessions are resumed by
/// tickets. The keys of tickets are made in this process, kept only in its memory and replaced every hour, so a key
/// that leaks one day does not decrypt the traffic of another day. Another node, or the next process, makes a full
/// handshake.
///
/// Thread safety: every member may be called from any thread at any time.
class PETSTORE_EXPORT tls_context {
 public:
  /// Throws tls_error for credentials that cannot be used: text that is not PEM, a key that does not belong to the
  /// certificate, a passphrase, a key that is too short. An expired certificate can be used; see `warnings`.
  explicit tls_context(tls_credentials const&);
  ~tls_context();
  tls_context(tls_context const&) = delete;
  tls_context& operator=(tls_context const&) = delete;

  /// Replaces the credentials for new connections; open connections keep theirs. Throws like the constructor, and then
  /// nothing has changed.
  void replace(tls_credentials const&);

  /// When the server's certificate expires.
  std::chrono::system_clock::time_point expires_at() const;
  /// The problems that clients may have with the certificate at that time, one sentence each: not valid yet, expired,
  /// or about to expire.
  std::vector<std::string> warnings(std::chrono::system_clock::time_point now) const;

  struct impl;
  std::shared_ptr<impl> const& shared() const noexcept { return impl_; }  ///< for the listener

 private:
  std::shared_ptr<impl> impl_;  // shared with the connections, which may outlive the listener
};

}  // namespace petstore::server
