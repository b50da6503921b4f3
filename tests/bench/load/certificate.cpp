// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "bench/load/certificate.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <boost/asio/buffer.hpp>
#include <memory>
#include <stdexcept>

namespace petstore::load {
namespace {

constexpr long day_seconds = 24 * 60 * 60;

template <auto Free>
struct freed {
  template <class T>
  void operator()(T* p) const noexcept {
    Free(p);
  }
};

std::string text_of(BIO* memory) {
  char* bytes = nullptr;
  auto const size = BIO_get_mem_data(memory, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

}  // namespace

certificate make_certificate(std::string const& name) {
  std::unique_ptr<EVP_PKEY, freed<EVP_PKEY_free>> const key(EVP_EC_gen("P-256"));
  std::unique_ptr<X509, freed<X509_free>> const made(X509_new());
  if (!key || !made) throw std::runtime_error("OpenSSL makes no certificate");
  X509_set_version(made.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -day_seconds);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), day_seconds);
  X509_set_pubkey(made.get(), key.get());
  auto* const subject = X509_get_subject_name(made.get());
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<unsigned char const*>("test"), -1, -1, 0);
  X509_set_issuer_name(made.get(), subject);
  std::unique_ptr<X509_EXTENSION, freed<X509_EXTENSION_free>> const names(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, name.c_str()));
  if (!names || X509_add_ext(made.get(), names.get(), -1) != 1 || X509_sign(made.get(), key.get(), EVP_sha256()) == 0)
    throw std::runtime_error("OpenSSL makes no certificate for " + name);

  std::unique_ptr<BIO, freed<BIO_free>> const pem(BIO_new(BIO_s_mem()));
  std::unique_ptr<BIO, freed<BIO_free>> const key_pem(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(pem.get(), made.get());
  PEM_write_bio_PrivateKey(key_pem.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return {text_of(pem.get()), text_of(key_pem.get())};
}

boost::asio::ssl::context server_context(certificate const& c) {
  boost::asio::ssl::context context(boost::asio::ssl::context::tls_server);
  context.use_certificate_chain(boost::asio::buffer(c.pem));
  context.use_private_key(boost::asio::buffer(c.key_pem), boost::asio::ssl::context::pem);
  return context;
}

}  // namespace petstore::load
