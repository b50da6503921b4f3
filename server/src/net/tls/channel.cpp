// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/tls/channel.hpp"

#include <openssl/err.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "net/tls/pem.hpp"

namespace petstore::server::tls {
namespace {

/// Four records: enough for one write to the socket.
constexpr std::size_t encrypted_max = 64 * 1024;

long control_wire(BIO*, int command, long, void*) noexcept {
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

}  // namespace

BIO_METHOD const& channel::wire_method() {
  static auto const method = [] {
    std::unique_ptr<BIO_METHOD, freed_by<BIO_meth_free>> m{
        BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "petstore connection")};
    if (!m) throw std::bad_alloc{};
    BIO_meth_set_read(m.get(), read_wire);
    BIO_meth_set_write(m.get(), write_wire);
    BIO_meth_set_ctrl(m.get(), control_wire);
    return m;
  }();
  return *method;
}

channel::channel(ssl_ptr ssl) : wire_{std::make_unique<wire>()}, ssl_{std::move(ssl)} {
  bio_ptr bio{BIO_new(&wire_method())};
  if (!bio) throw std::bad_alloc{};
  BIO_set_data(bio.get(), wire_.get());
  BIO_set_init(bio.get(), 1);
  BIO_set_shutdown(bio.get(), 0);
  auto* const both_ways = bio.release();
  SSL_set_bio(ssl_.get(), both_ways, both_ways);
  SSL_set_accept_state(ssl_.get());
}

void channel::keep_input() {
  auto const* const begin = wire_->input.data();
  bool const is_kept = begin >= kept_.data() && begin <= kept_.data() + kept_.size();
  if (wire_->input.empty() || is_kept) return;
  kept_.assign(wire_->input);
  wire_->input = kept_;
}

channel::progress channel::shake_hands() {
  if (has_failed_) return progress::failed;
  ERR_clear_error();
  return progress_after(SSL_do_handshake(ssl_.get()));
}

channel::progress channel::decrypt(std::span<char> buffer, std::size_t& size) {
  size = 0;
  auto result = has_failed_ ? progress::failed : progress::needs_bytes;
  while (size < buffer.size() && !has_failed_) {
    ERR_clear_error();
    std::size_t n = 0;
    result = progress_after(SSL_read_ex(ssl_.get(), buffer.data() + size, buffer.size() - size, &n));
    size += n;
    if (result != progress::moved) break;
    // Another call would only find that there is no more.
    if (wire_->input.empty() && SSL_has_pending(ssl_.get()) == 0) break;
  }
  if (wire_->input.empty() && !kept_.empty()) std::string{}.swap(kept_);
  // The bytes before the end, or before an error, are returned first; the next call returns the end or the error again.
  return size != 0 ? progress::moved : result;
}

std::size_t channel::encrypt(std::string_view bytes) {
  if (has_failed_ || has_said_end_) return 0;
  ERR_clear_error();
  std::size_t n = 0;
  auto const part = bytes.substr(0, encrypted_max);
  progress_after(SSL_write_ex(ssl_.get(), part.data(), part.size(), &n));
  return n;
}

void channel::say_end() {
  if (has_failed_ || std::exchange(has_said_end_, true)) return;
  ERR_clear_error();
  if (SSL_shutdown(ssl_.get()) < 0) ERR_clear_error();
}

channel::progress channel::progress_after(int returned) {
  if (returned == 1) return progress::moved;
  switch (SSL_get_error(ssl_.get(), returned)) {
    case SSL_ERROR_WANT_READ: return progress::needs_bytes;
    case SSL_ERROR_ZERO_RETURN: return progress::ended;
    default: break;
  }
  has_failed_ = true;
  failure_code_ = ERR_peek_last_error();
  failure_ = take_openssl_error();
  return progress::failed;
}

int channel::read_wire(BIO* bio, char* out, int size) noexcept {
  BIO_clear_retry_flags(bio);
  auto& input = static_cast<wire*>(BIO_get_data(bio))->input;
  if (input.empty()) {
    BIO_set_retry_read(bio);
    return -1;
  }
  auto const n = std::min(input.size(), static_cast<std::size_t>(size));
  std::memcpy(out, input.data(), n);
  input.remove_prefix(n);
  return static_cast<int>(n);
}

int channel::write_wire(BIO* bio, char const* bytes, int size) noexcept {
  BIO_clear_retry_flags(bio);
  try {
    static_cast<wire*>(BIO_get_data(bio))->output.append(bytes, static_cast<std::size_t>(size));
    return size;
  } catch (std::bad_alloc const&) {
    return -1;
  }
}

}  // namespace petstore::server::tls
