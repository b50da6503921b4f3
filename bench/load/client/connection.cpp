// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "client/connection.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace petstore::load {
namespace {

/// OpenSSL takes lengths as int.
constexpr std::size_t tls_bytes_at_once = std::size_t{1} << 30;

}  // namespace

progress connection::open(address const& to) {
  close();
  descriptor_ = ::socket(to.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  if (descriptor_ < 0) return fail(errno);
  int const on = 1;
  ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(descriptor_, reinterpret_cast<sockaddr const*>(&to.storage), to.size) == 0) return progress::done;
  return errno == EINPROGRESS ? progress::later : fail(errno);
}

progress connection::finish_open() {
  int code = 0;
  socklen_t size = sizeof code;
  if (::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &code, &size) != 0) return fail(errno);
  return code == 0 ? progress::done : fail(code);
}

progress connection::handshake(tls_settings const& settings, std::string const& host) {
  if (!tls_) tls_ = begin_tls(settings, descriptor_, host);
  ERR_clear_error();
  return tls_outcome(SSL_do_handshake(tls_.get()));
}

connection::transfer connection::send(std::string_view bytes) {
  if (!tls_) {
    auto const sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) return {progress::done, static_cast<std::size_t>(sent)};
    return {errno == EAGAIN || errno == EINTR ? progress::later : fail(errno)};
  }
  ERR_clear_error();
  auto const sent = SSL_write(tls_.get(), bytes.data(), static_cast<int>(std::min(bytes.size(), tls_bytes_at_once)));
  if (sent > 0) return {progress::done, static_cast<std::size_t>(sent)};
  return {tls_outcome(sent)};
}

connection::transfer connection::receive(std::span<char> into) {
  if (!tls_) {
    auto const got = ::recv(descriptor_, into.data(), into.size(), 0);
    if (got > 0) return {progress::done, static_cast<std::size_t>(got)};
    if (got == 0) return {progress::closed};
    return {errno == EAGAIN || errno == EINTR ? progress::later : fail(errno)};
  }
  ERR_clear_error();
  auto const got = SSL_read(tls_.get(), into.data(), static_cast<int>(std::min(into.size(), tls_bytes_at_once)));
  if (got > 0) return {progress::done, static_cast<std::size_t>(got)};
  return {tls_outcome(got)};
}

progress connection::tls_outcome(int returned) {
  if (returned > 0) return progress::done;
  int const code = errno;
  switch (SSL_get_error(tls_.get(), returned)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE: return progress::later;
    case SSL_ERROR_ZERO_RETURN: return progress::closed;
    case SSL_ERROR_SYSCALL:
      if (code != 0 && ERR_peek_error() == 0) return fail(code);
      [[fallthrough]];
    default:
      was_cut_ = ERR_peek_error() == 0 || ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
      tls_fault_ = tls_mistake(tls_.get());
      fault_code_ = 0;
      return progress::failed;
  }
}

progress connection::fail(int code) noexcept {
  fault_code_ = code;
  return progress::failed;
}

std::string connection::fault() const {
  return fault_code_ == 0 ? tls_fault_ : std::generic_category().message(fault_code_);
}

void connection::close() noexcept {
  tls_.reset();
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace petstore::load
