// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <openssl/core_names.h>
#include <openssl/evp.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "support/certificates.hpp"

namespace petstore::tests {

/// A request as the receiver of a webhook gets it.
struct hook_request {
  std::string head;  ///< with the empty line
  std::string body;

  /// The value of a field; empty without it.
  std::string field(std::string const& name) const {
    auto const at = head.find("\r\n" + name + ": ");
    if (at == head.npos) return {};
    auto const begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }
};

/// Verifies `Petstore-Signature` with code of its own.
inline bool is_signed_with(std::string const& secret, hook_request const& r) {
  auto const signature = r.field("Petstore-Signature");
  auto const comma = signature.find(",v1=");
  if (!signature.starts_with("t=") || comma == signature.npos) return false;
  std::string const text = signature.substr(2, comma - 2) + "." + r.body;
  std::array<unsigned char, 32> mac{};
  std::size_t size = 0;
  if (!::EVP_Q_mac(nullptr, "HMAC", nullptr, "SHA256", nullptr, secret.data(), secret.size(),
                   reinterpret_cast<unsigned char const*>(text.data()), text.size(), mac.data(), mac.size(), &size))
    return false;
  std::string hex;
  for (auto const byte : mac) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", unsigned{byte});
    hex += digits.data();
  }
  return signature.substr(comma + 4) == hex;
}

/// The receiver of a webhook, on a free port of 127.0.0.1. Its functions block. One thread.
class hook_server {
 public:
  /// A connection; the destructor closes it.
  class connection {
   public:
    explicit connection(boost::asio::ip::tcp::socket s) : plain_{std::move(s)} {}

    /// Returns whether the client accepts the certificate.
    bool shake_hands(boost::asio::ssl::context& tls) {
      encrypted_.emplace(plain_, tls);
      boost::system::error_code failed;
      encrypted_->handshake(boost::asio::ssl::stream_base::server, failed);
      if (failed) return false;
      // With TLS 1.3 the client judges the certificate after the server's handshake is done.
      std::array<char, 1> first{};
      boost::asio::read(*encrypted_, boost::asio::buffer(first), failed);
      read_.assign(first.data(), failed ? 0 : 1);
      return !failed;
    }
    hook_request read() { return encrypted_ ? read_from(*encrypted_) : read_from(plain_); }
    void answer(std::string const& head) {
      auto const text = boost::asio::buffer(head);
      encrypted_ ? boost::asio::write(*encrypted_, text) : boost::asio::write(plain_, text);
    }
    void answer(unsigned status) {
      answer("HTTP/1.1 " + std::to_string(status) + " Whatever\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }

   private:
    template <class Stream>
    hook_request read_from(Stream& stream) {
      hook_request r;
      auto const head = boost::asio::read_until(stream, boost::asio::dynamic_buffer(read_), "\r\n\r\n");
      r.head = read_.substr(0, head);
      auto const length = std::stoul("0" + r.field("Content-Length"));
      if (read_.size() < head + length)
        boost::asio::read(stream, boost::asio::dynamic_buffer(read_),
                          boost::asio::transfer_exactly(head + length - read_.size()));
      r.body = read_.substr(head);
      return r;
    }

    boost::asio::ip::tcp::socket plain_;
    std::optional<boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>> encrypted_;
    std::string read_;
  };

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  /// Waits for the next connection.
  std::unique_ptr<connection> accept() { return std::make_unique<connection>(acceptor_.accept()); }
  /// Whether a connection waits to be accepted.
  bool has_another() {
    acceptor_.non_blocking(true);
    boost::system::error_code none;
    boost::asio::ip::tcp::socket another{context_};
    acceptor_.accept(another, none);
    acceptor_.non_blocking(false);
    return !none;
  }

 private:
  boost::asio::io_context context_{1};
  boost::asio::ip::tcp::acceptor acceptor_{context_, {boost::asio::ip::address_v4::loopback(), 0}};
};

/// What a server shows with that certificate.
inline boost::asio::ssl::context server_context_of(identity const& own) {
  boost::asio::ssl::context context{boost::asio::ssl::context::tls_server};
  context.use_certificate_chain(boost::asio::buffer(own.certificate));
  context.use_private_key(boost::asio::buffer(own.key), boost::asio::ssl::context::pem);
  return context;
}

}  // namespace petstore::tests
