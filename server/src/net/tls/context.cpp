// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/tls/context.hpp"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <new>
#include <utility>

#include "net/tls/pem.hpp"
#include "petstore/api_key.hpp"

namespace petstore::server {
namespace {

using namespace std::chrono_literals;
using std::chrono::system_clock;
using tls::take_openssl_error;

// Mozilla's recommendation "intermediate" (wiki.mozilla.org/Security/Server_Side_TLS), without DHE: these groups cost
// the server much and their clients little, and every client that has them has the others.
constexpr char const* suites_of_1_3 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";
constexpr char const* ciphers_of_1_2 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr char const* groups = "X25519:P-256:P-384";
/// 112 bits: RSA from 2,048 bits on.
constexpr int security_level = 2;
/// The number of authorities between a client's certificate and a known one.
constexpr int chain_depth_max = 4;
/// The messages of a handshake are short except the certificates; a chain of the length above has no more bytes.
constexpr long handshake_bytes_max = 64 * 1024;
constexpr auto warning_before_end = 7 * 24h;

void check(bool is_done) {
  if (!is_done) throw std::runtime_error("OpenSSL takes no setting: " + take_openssl_error());
}

system_clock::time_point to_time(ASN1_TIME const* t) {
  std::tm utc{};
  ASN1_TIME_to_tm(t, &utc);
  return system_clock::from_time_t(::timegm(&utc));
}

std::string to_date(system_clock::time_point t) {
  auto const seconds = system_clock::to_time_t(t);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  auto const n = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &utc);
  return {text.data(), n};
}

/// Chooses the one protocol we speak from the client's offer. A client whose offer lacks it expects another protocol.
/// It gets an alert (RFC 7301, 3.2), since its bytes could mean anything here.
int choose_protocol(SSL*, unsigned char const** chosen, unsigned char* chosen_size, unsigned char const* offered,
                    unsigned int offered_size, void*) noexcept {
  static constexpr std::array<unsigned char, 9> ours{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  auto* found = const_cast<unsigned char*>(*chosen);
  if (SSL_select_next_proto(&found, chosen_size, ours.data(), ours.size(), offered, offered_size) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

bool set_mac(EVP_MAC_CTX* mac, tls::ticket_keys::key& k) {
  char digest[] = "SHA256";
  std::array<OSSL_PARAM, 3> const params{
      OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, k.mac.data(), k.mac.size()),
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()};
  return EVP_MAC_CTX_set_params(mac, params.data()) == 1;
}

/// OpenSSL calls it for each ticket, to make it (returns 1) or to open it (0: not ours; 1: ours; 2: ours, make a new
/// one).
int protect_ticket(SSL* ssl, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac,
                   int is_new) noexcept {
  auto& keys = *static_cast<tls::ticket_keys*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
  auto const now = std::chrono::steady_clock::now();
  constexpr int iv_size = 16;
  if (is_new) {
    auto key = keys.current(now);
    if (!key || RAND_bytes(iv, iv_size) != 1) return -1;
    std::ranges::copy(key->name, name);
    bool const is_done =
        EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), nullptr, key->cipher.data(), iv) == 1 && set_mac(mac, *key);
    OPENSSL_cleanse(&*key, sizeof *key);
    return is_done ? 1 : -1;
  }
  auto found = keys.find(std::span<unsigned char const, 16>{name, 16}, now);
  if (!found) return 0;
  bool const is_done = set_mac(mac, found->key) &&
                       EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nullptr, found->key.cipher.data(), iv) == 1;
  OPENSSL_cleanse(&found->key, sizeof found->key);
  if (!is_done) return -1;
  // In TLS 1.3 a ticket is used once, so that a client cannot be recognised by it.
  return !found->is_current || SSL_version(ssl) >= TLS1_3_VERSION ? 2 : 1;
}

void choose_protocols(SSL_CTX* c) {
  check(SSL_CTX_set_min_proto_version(c, TLS1_2_VERSION) == 1);
  check(SSL_CTX_set_max_proto_version(c, TLS1_3_VERSION) == 1);
  SSL_CTX_set_security_level(c, security_level);
  check(SSL_CTX_set_ciphersuites(c, suites_of_1_3) == 1);
  check(SSL_CTX_set_cipher_list(c, ciphers_of_1_2) == 1);
  check(SSL_CTX_set1_groups_list(c, groups) == 1);
  SSL_CTX_set_options(
      c, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
  SSL_CTX_set_alpn_select_cb(c, choose_protocol, nullptr);
  SSL_CTX_set_max_early_data(c, 0);
  SSL_CTX_set_max_cert_list(c, handshake_bytes_max);
  // So an idle connection holds no memory for records.
  SSL_CTX_set_mode(c, SSL_MODE_RELEASE_BUFFERS);
}

/// A session can only be resumed under the rules for client certificates under which it began. So after a change of the
/// rules, a client without an accepted certificate cannot avoid them by resuming.
void keep_sessions(SSL_CTX* c, tls_credentials const& with, tls::ticket_keys& keys) {
  std::string const rules = std::to_string(static_cast<int>(with.clients)) + with.client_authorities;
  auto const id = sha256(rules);
  check(SSL_CTX_set_session_id_context(c, reinterpret_cast<unsigned char const*>(id.data()), id.size()) == 1);
  SSL_CTX_set_session_cache_mode(c, SSL_SESS_CACHE_OFF);  // tickets need no memory here
  SSL_CTX_set_timeout(c, tls::ticket_keys::lifetime.count());
  SSL_CTX_set_num_tickets(c, 1);
  SSL_CTX_set_app_data(c, &keys);
  SSL_CTX_set_tlsext_ticket_key_evp_cb(c, protect_ticket);
}

void ask_for_certificates(SSL_CTX* c, tls_credentials const& with) {
  if (with.clients == client_certificates::off) return;
  auto* const store = SSL_CTX_get_cert_store(c);
  for (auto const& one : tls::parse_certificates(with.client_authorities, tls_error::part::client_authorities)) {
    check(X509_STORE_add_cert(store, one.get()) == 1);
    check(SSL_CTX_add_client_CA(c, one.get()) == 1);
  }
  bool const is_required = with.clients == client_certificates::required;
  SSL_CTX_set_verify(c, SSL_VERIFY_PEER | (is_required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), nullptr);
  SSL_CTX_set_verify_depth(c, chain_depth_max);
}

}  // namespace

tls_context::impl::impl(tls_credentials const& with) : current{make(with)} {}

tls_context::impl::generation tls_context::impl::make(tls_credentials const& with) {
  using enum tls_error::part;
  auto const chain = tls::parse_certificates(with.certificates, certificates);
  auto const key = tls::parse_private_key(with.private_key);

  ERR_clear_error();
  tls::ssl_context_ptr made{SSL_CTX_new(TLS_server_method())};
  if (!made) throw std::bad_alloc{};
  choose_protocols(made.get());
  if (SSL_CTX_use_certificate(made.get(), chain.front().get()) != 1)
    throw tls_error(certificates, "cannot be used: " + take_openssl_error());
  for (std::size_t i = 1; i < chain.size(); ++i)
    if (SSL_CTX_add1_chain_cert(made.get(), chain[i].get()) != 1)
      throw tls_error(certificates, "has a certificate in its chain that cannot be used: " + take_openssl_error());
  if (X509_check_private_key(chain.front().get(), key.get()) != 1) {
    ERR_clear_error();
    throw tls_error(private_key, "is not the key of the first certificate");
  }
  if (SSL_CTX_use_PrivateKey(made.get(), key.get()) != 1)
    throw tls_error(private_key, "cannot be used: " + take_openssl_error());
  keep_sessions(made.get(), with, tickets);
  ask_for_certificates(made.get(), with);
  ERR_clear_error();
  return {std::move(made), to_time(X509_get0_notBefore(chain.front().get())),
          to_time(X509_get0_notAfter(chain.front().get()))};
}

void tls_context::impl::replace(tls_credentials const& with) {
  auto fresh = make(with);
  std::lock_guard const lock{mutex};
  std::swap(current, fresh);
}

tls::ssl_ptr tls_context::impl::begin() const {
  std::lock_guard const lock{mutex};
  tls::ssl_ptr made{SSL_new(current.context.get())};
  if (!made) {
    ERR_clear_error();
    throw std::bad_alloc{};
  }
  return made;
}

tls_context::tls_context(tls_credentials const& with) : impl_{std::make_shared<impl>(with)} {}
tls_context::~tls_context() = default;

void tls_context::replace(tls_credentials const& with) {
  impl_->replace(with);
}

system_clock::time_point tls_context::expires_at() const {
  std::lock_guard const lock{impl_->mutex};
  return impl_->current.expires_at;
}

std::vector<std::string> tls_context::warnings(system_clock::time_point now) const {
  std::lock_guard const lock{impl_->mutex};
  auto const& [context, valid_from, expires_at] = impl_->current;
  std::vector<std::string> found;
  if (now < valid_from) found.push_back("the certificate is not valid before " + to_date(valid_from));
  if (now >= expires_at) {
    found.push_back("the certificate has expired on " + to_date(expires_at));
  } else if (now >= expires_at - warning_before_end) {
    found.push_back("the certificate expires on " + to_date(expires_at));
  }
  return found;
}

}  // namespace petstore::server
