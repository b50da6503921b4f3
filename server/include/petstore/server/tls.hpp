// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

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

/// Whether clients show a certificate of their own. A certificate that is shown and not believed ends the handshake,
/// also where it is optional.
enum class client_certificates : std::uint8_t { off, optional, required };

/// What encrypted connections stand on, as PEM text.
struct PETSTORE_EXPORT tls_credentials {
  std::string certificates = {};        ///< the server's own first, then those that lead towards its root
  std::string private_key = {};         ///< of the first certificate, without a passphrase
  std::string client_authorities = {};  ///< who may have signed clients' certificates; empty where they are off
  client_certificates clients = client_certificates::off;  ///< whether they show certificates
};

/// The same, in files.
struct PETSTORE_EXPORT tls_files {
  std::filesystem::path certificates = {};                 ///< PEM, the server's own first
  std::filesystem::path private_key = {};                  ///< PEM, without a passphrase
  std::filesystem::path client_authorities = {};           ///< may be empty where clients' certificates are off
  client_certificates clients = client_certificates::off;  ///< whether they show certificates

  friend bool operator==(tls_files const&, tls_files const&) = default;
};

/// Credentials that cannot be used. The text is a sentence without the name of the part, which `part` tells.
struct PETSTORE_EXPORT tls_error : std::runtime_error {
  /// Which of the credentials.
  enum class part : std::uint8_t { certificates, private_key, client_authorities };

  /// `why`: a sentence without the name of the part.
  tls_error(part p, std::string const& why) : std::runtime_error(why), of{p} {}
  part of;  ///< to blame
};

/// Throws tls_error when one of them cannot be read. What is in them is not looked at.
PETSTORE_EXPORT tls_credentials read_tls_files(tls_files const&);

/// What a server proves who it is by: `listener_options::tls`.
///
/// TLS 1.2 and 1.3 with forward secrecy and authenticated encryption only (Mozilla's "intermediate" list without the
/// finite-field groups), X25519, P-256 and P-384, ALPN `http/1.1`. No renegotiation, no compression, no early data. SNI
/// is not looked at: there is one certificate for all names. Sessions are resumed by tickets whose keys are made in
/// this process, kept in its memory alone and replaced every hour, so that what leaks one day opens nothing of another;
/// another node, or the next process, makes a full handshake.
///
/// Thread safety: every member from any thread at any time.
class PETSTORE_EXPORT tls_context {
 public:
  /// Throws tls_error for what cannot be used: text that is no PEM, a key that is not the certificate's, a passphrase,
  /// a key that is too short. A certificate that has expired can be used; see `warnings`.
  explicit tls_context(tls_credentials const&);
  ~tls_context();
  tls_context(tls_context const&) = delete;
  tls_context& operator=(tls_context const&) = delete;

  /// For the connections that begin from now on; those that are there go on with what they began with. Throws as the
  /// constructor does, and nothing has changed then.
  void replace(tls_credentials const&);

  /// When the server's certificate ends.
  std::chrono::system_clock::time_point expires_at() const;
  /// What clients may object to at that time, a sentence each: not valid yet, expired, or about to.
  std::vector<std::string> warnings(std::chrono::system_clock::time_point now) const;

  struct impl;
  std::shared_ptr<impl> const& shared() const noexcept { return impl_; }  ///< for the listener

 private:
  std::shared_ptr<impl> impl_;  // shared with the connections, which may outlive the listener
};

}  // namespace petstore::server
