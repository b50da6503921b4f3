// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "support/certificates.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <atomic>
#include <memory>
#include <stdexcept>

#include "net/tls/handles.hpp"

namespace petstore::tests {
namespace {

using server::tls::bio_ptr;
using server::tls::certificate_ptr;
using server::tls::freed_by;
using server::tls::key_ptr;

void check(bool is_done) {
  if (!is_done) throw std::runtime_error("OpenSSL makes no certificate");
}

std::string text_of(bio_ptr const& memory) {
  char* bytes = nullptr;
  auto const size = BIO_get_mem_data(memory.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

bio_ptr over(std::string const& text) {
  return bio_ptr{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))};
}

void set_name(X509_NAME* name, std::string const& text) {
  auto const* bytes = reinterpret_cast<unsigned char const*>(text.c_str());
  check(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, bytes, -1, -1, 0) == 1);
}

void extend(X509* made, int what, std::string const& value) {
  std::unique_ptr<X509_EXTENSION, freed_by<X509_EXTENSION_free>> const e(
      X509V3_EXT_conf_nid(nullptr, nullptr, what, value.c_str()));
  check(e && X509_add_ext(made, e.get(), -1) == 1);
}

struct certificate_options {
  std::string subject;
  std::string issuer;
  validity valid;
  int extension;
  std::string value;
};

/// Makes a certificate, signed by `signer`, or self-signed if that is null.
identity make(certificate_options const& w, EVP_PKEY* signer = nullptr) {
  static std::atomic<long> serial{1};
  key_ptr const key(EVP_EC_gen("P-256"));
  certificate_ptr const made(X509_new());
  check(key && made);
  X509_set_version(made.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), serial++);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), std::chrono::seconds{w.valid.begin}.count());
  X509_gmtime_adj(X509_getm_notAfter(made.get()), std::chrono::seconds{w.valid.end}.count());
  X509_set_pubkey(made.get(), key.get());
  set_name(X509_get_subject_name(made.get()), w.subject);
  set_name(X509_get_issuer_name(made.get()), w.issuer);
  extend(made.get(), w.extension, w.value);
  check(X509_sign(made.get(), signer ? signer : key.get(), EVP_sha256()) != 0);

  bio_ptr const pem(BIO_new(BIO_s_mem())), key_pem(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(pem.get(), made.get());
  PEM_write_bio_PrivateKey(key_pem.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return {text_of(pem), text_of(key_pem)};
}

}  // namespace

authority::authority(std::string const& name)
    : name_{name}, own_{make({name, name, {}, NID_basic_constraints, "critical,CA:TRUE"})} {}

identity authority::issue(std::string const& names, validity valid) const {
  key_ptr const signer(PEM_read_bio_PrivateKey(over(own_.key).get(), nullptr, nullptr, nullptr));
  check(signer != nullptr);
  return make({"issued", name_, valid, NID_subject_alt_name, names}, signer.get());
}

identity self_signed(validity valid, std::string const& names) {
  return make({"test", "test", valid, NID_subject_alt_name, names});
}

identity const& identity_of_tests() {
  static auto const made = self_signed();
  return made;
}

std::string with_passphrase(std::string const& key_pem) {
  key_ptr const key(PEM_read_bio_PrivateKey(over(key_pem).get(), nullptr, nullptr, nullptr));
  bio_ptr const out(BIO_new(BIO_s_mem()));
  char phrase[] = "secret";
  check(key &&
        PEM_write_bio_PKCS8PrivateKey(out.get(), key.get(), EVP_aes_256_cbc(), phrase, 6, nullptr, nullptr) == 1);
  return text_of(out);
}

}  // namespace petstore::tests
