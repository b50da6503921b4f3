// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "support/client_side.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>

namespace petstore::tests {
namespace {

[[noreturn]] void fail() {
  char const* const reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  throw client_failure(reason ? reason : "no reason given");
}

void show(SSL_CTX* context, identity const& own) {
  BIO* const pem = BIO_new_mem_buf(own.certificate.data(), static_cast<int>(own.certificate.size()));
  BIO* const key_pem = BIO_new_mem_buf(own.key.data(), static_cast<int>(own.key.size()));
  X509* const certificate = PEM_read_bio_X509(pem, nullptr, nullptr, nullptr);
  EVP_PKEY* const key = PEM_read_bio_PrivateKey(key_pem, nullptr, nullptr, nullptr);
  SSL_CTX_use_certificate(context, certificate);
  SSL_CTX_use_PrivateKey(context, key);
  X509_free(certificate);
  EVP_PKEY_free(key);
  BIO_free(pem);
  BIO_free(key_pem);
}

}  // namespace

client_side::client_side(client_wishes const& wishes) : context_{SSL_CTX_new(TLS_client_method())} {
  SSL_CTX_set_max_proto_version(context_.get(), wishes.version_max);
  if (wishes.own) show(context_.get(), *wishes.own);
  ssl_.reset(SSL_new(context_.get()));
  SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  auto const& p = wishes.protocols;
  if (!p.empty())
    SSL_set_alpn_protos(ssl_.get(), reinterpret_cast<unsigned char const*>(p.data()), static_cast<unsigned>(p.size()));
  if (wishes.session) SSL_set_session(ssl_.get(), wishes.session);
  if (!wishes.server_name.empty()) SSL_set_tlsext_host_name(ssl_.get(), wishes.server_name.c_str());
  SSL_set_connect_state(ssl_.get());
}

void client_side::feed(std::string_view bytes) {
  BIO_write(SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size()));
}

std::string client_side::take_output() {
  char* bytes = nullptr;
  auto const size = BIO_get_mem_data(SSL_get_wbio(ssl_.get()), &bytes);
  std::string const output(bytes, static_cast<std::size_t>(size));
  BIO_reset(SSL_get_wbio(ssl_.get()));
  return output;
}

bool client_side::shake_hands() {
  ERR_clear_error();
  int const n = SSL_do_handshake(ssl_.get());
  if (n == 1) return true;
  if (SSL_get_error(ssl_.get(), n) != SSL_ERROR_WANT_READ) fail();
  return false;
}

void client_side::encrypt(std::string_view bytes) {
  ERR_clear_error();
  std::size_t n = 0;
  if (!bytes.empty() && SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &n) != 1) fail();
}

std::string client_side::decrypt() {
  std::string out;
  char piece[16 * 1024];
  for (;;) {
    ERR_clear_error();
    std::size_t n = 0;
    int const r = SSL_read_ex(ssl_.get(), piece, sizeof piece, &n);
    out.append(piece, n);
    if (r == 1) continue;
    int const why = SSL_get_error(ssl_.get(), r);
    if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_ZERO_RETURN) fail();
    return out;
  }
}

void client_side::say_end() {
  SSL_shutdown(ssl_.get());
}

std::string client_side::certificate_of_server() const {
  X509* const shown = SSL_get1_peer_certificate(ssl_.get());
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  X509_digest(shown, EVP_sha256(), digest, &size);
  X509_free(shown);
  return {reinterpret_cast<char const*>(digest), size};
}

bool client_side::has_heard_end() const {
  return (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
}

}  // namespace petstore::tests
