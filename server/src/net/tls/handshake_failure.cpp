// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/tls/handshake_failure.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/sslerr.h>

namespace petstore::server::tls {

handshake_failure classify(unsigned long openssl_error) noexcept {
  using enum handshake_failure;
  int const reason = ERR_GET_REASON(openssl_error);
  if (openssl_error == 0 || ERR_SYSTEM_ERROR(openssl_error) || ERR_FATAL_ERROR(openssl_error)) return other;
  if (ERR_GET_LIB(openssl_error) != ERR_LIB_SSL) return malformed;  // for example, a point that is not on its curve
  if (reason >= SSL_AD_REASON_OFFSET) return rejected;              // an alert of the client
  switch (reason) {
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_UNSUPPORTED_SSL_VERSION:
    case SSL_R_UNKNOWN_PROTOCOL:
    case SSL_R_VERSION_TOO_LOW:
    case SSL_R_INAPPROPRIATE_FALLBACK:
    case SSL_R_NO_SHARED_CIPHER:
    case SSL_R_NO_SHARED_GROUPS:
    case SSL_R_NO_SUITABLE_GROUPS:
    case SSL_R_NO_SUITABLE_KEY_SHARE:
    case SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS:
    case SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM:
    case SSL_R_NO_APPLICATION_PROTOCOL: return unsupported;
    case SSL_R_CERTIFICATE_VERIFY_FAILED:
    case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: return certificate;
    default: return malformed;
  }
}

}  // namespace petstore::server::tls
