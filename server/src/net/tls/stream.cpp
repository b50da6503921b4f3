// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/tls/stream.hpp"

#include <utility>

namespace petstore::server::tls {
namespace {

using net::status;

constexpr std::size_t kept_outputs_max = 64;
constexpr std::size_t kept_output_bytes_min = 512;
constexpr std::size_t kept_output_bytes_max = 160 * 1024;

}  // namespace

stream::stream(listener_tls& shared, net::socket_stream& socket)
    : shared_{shared}, context_{shared.context}, socket_{socket}, channel_{context_->begin()} {}

channel::progress stream::shake_hands(std::string_view arrived) {
  channel_.feed(arrived);
  auto const made = channel_.shake_hands();
  channel_.keep_input();
  return made;
}

bool stream::may_read() {
  return channel_.has_input() || input_ != status::moved || take_input();
}

net::transfer stream::read(std::span<char> buffer) {
  for (;;) {
    if (channel_.has_input()) {
      auto const decrypted = decrypt(buffer);
      channel_.keep_input();  // after the return, other connections read into the same memory
      if (decrypted.status != status::blocked) return decrypted;
    }
    if (input_ != status::moved) return {input_};
    if (!take_input()) return {status::blocked};
  }
}

/// Reads from the socket. Returns false if nothing can be read now: nothing has arrived, or a message of TLS itself (a
/// ticket, the answer to a key update) must be sent first.
bool stream::take_input() {
  auto const sent = flush();
  if (sent == status::blocked) return false;
  if (sent != status::moved) {
    input_ = sent;  // the next read returns it
    return true;
  }
  if (!socket_.may_read()) return false;
  auto const arrived = socket_.read(shared_.arriving);
  if (arrived.status == status::blocked) return false;
  input_ = arrived.status;
  channel_.feed({shared_.arriving.data(), arrived.bytes});
  return true;
}

net::transfer stream::decrypt(std::span<char> buffer) {
  std::size_t n = 0;
  switch (channel_.decrypt(buffer, n)) {
    case channel::progress::moved: return {status::moved, n};
    case channel::progress::needs_bytes: return {status::blocked};
    case channel::progress::ended: return {status::ended};
    case channel::progress::failed: break;
  }
  return {status::failed};
}

net::transfer stream::write(std::string_view bytes) {
  if (encrypted_ == 0) {
    shared_.lend(channel_.output());
    encrypted_ = channel_.encrypt(bytes);
    if (encrypted_ == 0) return {status::failed};
  }
  if (auto const sent = flush(); sent != status::moved) return {sent};
  return {status::moved, std::exchange(encrypted_, 0U)};
}

status stream::shut_down() {
  channel_.say_end();
  auto const sent = flush();
  return sent == status::moved ? socket_.shut_down() : sent;
}

status stream::flush() {
  auto& output = channel_.output();
  if (output.empty()) return status::moved;
  while (flushed_ < output.size()) {
    auto const sent = socket_.write(std::string_view{output}.substr(flushed_));
    if (sent.status != status::moved) return sent.status;
    flushed_ += sent.bytes;
  }
  flushed_ = 0;
  shared_.give_back(output);
  return status::moved;
}

void listener_tls::lend(std::string& output) {
  if (output.capacity() >= kept_output_bytes_min || free_outputs.empty()) return;
  auto lent = std::move(free_outputs.back());
  free_outputs.pop_back();
  lent.assign(output);
  output.swap(lent);
}

void listener_tls::give_back(std::string& output) {
  std::string empty;
  output.swap(empty);
  if (empty.capacity() > kept_output_bytes_max || empty.capacity() < kept_output_bytes_min) return;
  if (free_outputs.size() == kept_outputs_max) return;
  empty.clear();
  free_outputs.push_back(std::move(empty));
}

}  // namespace petstore::server::tls
