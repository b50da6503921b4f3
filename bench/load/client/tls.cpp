// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "client/tls.hpp"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <array>
#include <stdexcept>

namespace petstore::load {
namespace {

constexpr unsigned char http_1_1[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};  // a list in ALPN's format

bool is_address(std::string const& host) noexcept {
  std::array<unsigned char, sizeof(in6_addr)> ignored;
  return inet_pton(AF_INET, host.c_str(), ignored.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), ignored.data()) == 1;
}

void name_the_host(SSL* session, std::string const& host) {
  if (is_address(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host.c_str());
    return;
  }
  SSL_set_tlsext_host_name(session, host.c_str());
  SSL_set1_host(session, host.c_str());
}

}  // namespace

tls_settings::tls_settings(wanted const& w) : context_(SSL_CTX_new(TLS_client_method())), is_insecure_(w.insecure) {
  if (!context_) throw std::runtime_error("TLS cannot be used: " + tls_mistake(nullptr));
  auto* const context = context_.get();
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_verify(context, w.insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_alpn_protos(context, http_1_1, sizeof http_1_1);
  if (w.ca_file.empty()) {
    SSL_CTX_set_default_verify_paths(context);
  } else if (SSL_CTX_load_verify_file(context, w.ca_file.c_str()) != 1) {
    throw std::runtime_error("no certificates could be read from " + w.ca_file + ": " + tls_mistake(nullptr));
  }
}

tls_session begin_tls(tls_settings const& settings, int socket, std::string const& host) {
  tls_session session(SSL_new(settings.context()));
  if (!session || SSL_set_fd(session.get(), socket) != 1) throw std::runtime_error(tls_mistake(nullptr));
  name_the_host(session.get(), host);
  SSL_set_connect_state(session.get());
  return session;
}

std::string tls_mistake(SSL const* session) {
  std::string text;
  if (auto const code = ERR_peek_error(); code != 0) {
    auto const* const reason = ERR_reason_error_string(code);
    text = reason != nullptr ? reason : "error " + std::to_string(code);
  }
  ERR_clear_error();
  if (session != nullptr) {
    if (auto const verdict = SSL_get_verify_result(session); verdict != X509_V_OK)
      text.append(text.empty() ? "" : ": ").append(X509_verify_cert_error_string(verdict));
  }
  return text.empty() ? "the connection ended within the handshake" : text;
}

}  // namespace petstore::load
