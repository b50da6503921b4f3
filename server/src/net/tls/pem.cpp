// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/tls/pem.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <cerrno>
#include <fstream>
#include <limits>
#include <system_error>

namespace petstore::server {
namespace {

/// Chains of certificates and lists of authorities are shorter; a device or a log named by mistake may be longer.
constexpr std::size_t file_bytes_max = 4 * 1024 * 1024;

std::string read_file(std::filesystem::path const& path, tls_error::part part) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw tls_error(part, "cannot be read: " + std::generic_category().message(errno));
  std::string text(file_bytes_max + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  // Opening a directory succeeds; reading it fails.
  if (in.bad()) throw tls_error(part, "cannot be read: is it a file?");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > file_bytes_max) throw tls_error(part, "is longer than 4 MiB, and no PEM file is");
  return text;
}

}  // namespace

tls_credentials read_tls_files(tls_files const& files) {
  using enum tls_error::part;
  tls_credentials read;
  read.certificates = read_file(files.certificates, certificates);
  read.private_key = read_file(files.private_key, private_key);
  read.clients = files.clients;
  if (files.clients != client_certificates::off)
    read.client_authorities = read_file(files.client_authorities, client_authorities);
  return read;
}

namespace tls {
namespace {

bio_ptr over(std::string_view text, tls_error::part part) {
  if (text.size() > file_bytes_max) throw tls_error(part, "is longer than 4 MiB, and no PEM text is");
  bio_ptr memory{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))};
  if (!memory) throw std::bad_alloc{};
  return memory;
}

/// Replaces OpenSSL's own callback, which prompts on the terminal.
int no_passphrase(char*, int, int, void*) {
  return -1;
}

bool is_end_of_text(unsigned long failure) {
  return ERR_GET_LIB(failure) == ERR_LIB_PEM && ERR_GET_REASON(failure) == PEM_R_NO_START_LINE;
}

}  // namespace

std::string take_openssl_error() {
  auto const failure = ERR_peek_last_error();
  ERR_clear_error();
  char const* const reason = ERR_reason_error_string(failure);
  return reason ? reason : "no reason given";
}

std::vector<certificate_ptr> parse_certificates(std::string_view pem, tls_error::part part) {
  ERR_clear_error();
  auto const in = over(pem, part);
  std::vector<certificate_ptr> found;
  while (certificate_ptr next{PEM_read_bio_X509_AUX(in.get(), nullptr, no_passphrase, nullptr)})
    found.push_back(std::move(next));
  if (!is_end_of_text(ERR_peek_last_error()))
    throw tls_error(part, "has a certificate that cannot be read: " + take_openssl_error());
  ERR_clear_error();
  if (found.empty()) throw tls_error(part, "has no certificate in PEM form (-----BEGIN CERTIFICATE-----)");
  return found;
}

key_ptr parse_private_key(std::string_view pem) {
  using enum tls_error::part;
  ERR_clear_error();
  auto const in = over(pem, private_key);
  key_ptr key{PEM_read_bio_PrivateKey(in.get(), nullptr, no_passphrase, nullptr)};
  if (key) return key;
  bool const is_encrypted = pem.find("ENCRYPTED") != std::string_view::npos;
  auto const why = take_openssl_error();
  if (is_encrypted)
    throw tls_error(private_key,
                    "has a passphrase; write it without one (openssl pkey -in FILE -out NEW) and protect "
                    "the file");
  throw tls_error(private_key, "has no private key in PEM form (-----BEGIN PRIVATE KEY-----): " + why);
}

}  // namespace tls
}  // namespace petstore::server
