// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "channel.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/write.hpp>
#include <stdexcept>
#include <utility>

#include "petstore/asio/as_result.hpp"
#include "wire.hpp"

namespace petstore::redis {
namespace {

using asio::ip::tcp;

void require_used(boost::system::error_code const& failed, std::string const& what, std::string const& file) {
  if (!failed) return;
  throw std::runtime_error(what + " in " + file + " cannot be used: " + failed.message() + '.');
}

}  // namespace

asio::ssl::context make_tls_context(address const& where) {
  asio::ssl::context context{asio::ssl::context::tls_client};
  boost::system::error_code failed;
  context.set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1, failed);
  context.set_verify_mode(asio::ssl::verify_peer, failed);
  if (where.ca.empty()) {
    context.set_default_verify_paths(failed);
    require_used(failed, "The system's certificates", "their usual place");
  } else {
    context.load_verify_file(where.ca, failed);
    require_used(failed, "The certificates", where.ca);
  }
  if (!where.certificate.empty()) {
    context.use_certificate_chain_file(where.certificate, failed);
    require_used(failed, "The certificate", where.certificate);
    context.use_private_key_file(where.key, asio::ssl::context::pem, failed);
    require_used(failed, "The private key", where.key);
  }
  return context;
}

channel::channel(asio::any_io_executor executor, names::lookup& names, asio::ssl::context* tls, reply_limits limits)
    : names_{names}, timer_{executor}, reader_{limits} {
  if (tls) {
    stream_.emplace(tcp::socket{executor}, *tls);
  } else {
    plain_.emplace(executor);
  }
}

asio::awaitable<result<void>> channel::open(node where, std::string server_name, time_point deadline) {
  peer_ = std::move(where);
  limit(deadline);
  result<void> done = co_await connect(peer_, deadline);
  if (done && stream_) done = co_await shake_hands(server_name.empty() ? peer_.host : server_name);
  limit(time_point::max());
  co_return done;
}

asio::awaitable<result<void>> channel::connect(node const& where, time_point deadline) {
  boost::system::error_code is_name;
  std::vector<asio::ip::address> addresses{asio::ip::make_address(where.host, is_name)};
  if (is_name) {
    auto finding = names_.find(where.host, deadline);
    auto [unknown, found] = co_await std::move(finding);
    if (unknown) co_return ended(unknown);
    addresses = std::move(found);
  }
  boost::system::error_code failed = asio::error::host_not_found;
  for (auto const& address : addresses) {
    if (closed_) break;
    boost::system::error_code ignored;
    socket().close(ignored);  // from the attempt with the previous address
    std::tie(failed) = co_await socket().async_connect({address, where.port}, as_result);
    if (!failed) break;
  }
  if (failed || closed_) co_return ended(failed);
  socket().set_option(tcp::no_delay{true}, failed);
  co_return result<void>{};
}

asio::awaitable<result<void>> channel::shake_hands(std::string const& server_name) {
  boost::system::error_code is_name;
  asio::ip::make_address(server_name, is_name);
  // Servers choose their certificate by this name, which may not be an address (RFC 6066, 3).
  if (is_name) SSL_set_tlsext_host_name(stream_->native_handle(), server_name.c_str());
  asio::ssl::host_name_verification const named{server_name};
  boost::system::error_code failed;
  stream_->set_verify_callback(named, failed);
  std::tie(failed) = co_await stream_->async_handshake(asio::ssl::stream_base::client, as_result);
  if (failed) co_return ended(failed);
  co_return result<void>{};
}

asio::awaitable<result<void>> channel::send(std::string_view bytes) {
  auto const buffer = asio::buffer(bytes.data(), bytes.size());
  boost::system::error_code failed;
  if (stream_) {
    auto const [error, count] = co_await asio::async_write(*stream_, buffer, as_result);
    failed = error;
  } else {
    auto const [error, count] = co_await asio::async_write(*plain_, buffer, as_result);
    failed = error;
  }
  if (failed || closed_) co_return ended(failed);
  co_return result<void>{};
}

asio::awaitable<result<reply>> channel::receive() {
  auto const buffer = asio::buffer(buffer_);
  for (;;) {
    auto next = received();
    if (!next) co_return next.error();
    if (*next) co_return std::move(**next);
    boost::system::error_code failed;
    std::size_t size = 0;
    if (stream_) {
      std::tie(failed, size) = co_await stream_->async_read_some(buffer, as_result);
    } else {
      std::tie(failed, size) = co_await plain_->async_read_some(buffer, as_result);
    }
    if (failed || closed_) co_return ended(failed);
    auto const fed = reader_.feed({buffer_.data(), size});
    if (!fed) co_return fed.error();
  }
}

result<std::optional<reply>> channel::received() {
  return reader_.next();
}

asio::awaitable<result<reply>> channel::ask(std::vector<std::string> words, time_point deadline) {
  std::string bytes;
  append_command(bytes, words);
  limit(deadline);
  result<void> const sent = co_await send(bytes);
  if (!sent) co_return sent.error();
  result<reply> answer = co_await receive();
  limit(time_point::max());
  co_return answer;
}

void channel::close(std::string reason) {
  if (std::exchange(closed_, true)) return;
  reason_ = std::move(reason);
  timer_.cancel();
  boost::system::error_code ignored;
  socket().shutdown(tcp::socket::shutdown_both, ignored);
  socket().cancel(ignored);
}

failure channel::ended(boost::system::error_code const& error) const {
  if (closed_) return {errc::connection_lost, reason_.empty() ? "It was closed." : reason_};
  if (error == asio::error::eof || error == asio::ssl::error::stream_truncated) {
    return {errc::connection_lost, "The server ended it."};
  }
  return {errc::connection_lost, error.message() + '.'};
}

void channel::limit(time_point deadline) {
  if (closed_) return;
  timer_.expires_at(deadline);
  if (deadline == time_point::max()) return;
  timer_.async_wait([held = weak_from_this()](boost::system::error_code const& cancelled) {
    auto const self = held.lock();
    if (cancelled || !self || self->timer_.expiry() > std::chrono::steady_clock::now()) return;
    self->close("It took too long.");
  });
}

}  // namespace petstore::redis
