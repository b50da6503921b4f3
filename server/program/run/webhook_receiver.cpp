// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/webhook_receiver.hpp"

#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <cstddef>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "petstore/asio/as_result.hpp"
#include "petstore/names/lookup.hpp"
#include "run/webhook_message.hpp"
#include "version.hpp"

namespace petstore::program {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using deadline_time = std::chrono::steady_clock::time_point;
using encrypted_stream = asio::ssl::stream<beast::tcp_stream&>;

webhook_outcome not_delivered(std::string_view what, error_code const& why) {
  return {.cause = fmt::format("{}: {}", what, why.message())};
}

asio::ssl::context make_context(std::string const& authorities) {
  asio::ssl::context context{asio::ssl::context::tls_client};
  error_code failed;
  context.set_options(asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1, failed);
  context.set_verify_mode(asio::ssl::verify_peer, failed);
  if (authorities.empty()) {
    context.set_default_verify_paths(failed);
  } else {
    context.load_verify_file(authorities, failed);
  }
  if (failed) throw std::runtime_error("the certificates to trust cannot be read: " + failed.message());
  return context;
}

/// Sends the request and reads the head of the answer; an interim answer (1xx) comes before it.
template <class Stream>
asio::awaitable<webhook_outcome> ask_receiver(Stream& stream, std::string_view request) {
  auto const [unsent, sent_bytes] = co_await asio::async_write(stream, asio::buffer(request), as_result);
  if (unsent) co_return not_delivered("the message cannot be sent", unsent);
  beast::flat_buffer buffer;
  for (;;) {
    http::response_parser<http::empty_body> parser;
    auto const [unread, read_bytes] = co_await http::async_read_header(stream, buffer, parser, as_result);
    if (unread) co_return not_delivered("the receiver did not answer", unread);
    auto const status = parser.get().result_int();
    if (status >= 200) co_return outcome_of_status(status);
  }
}

}  // namespace

webhook_outcome outcome_of_status(unsigned status) {
  if (status >= 200 && status < 300) return {.is_delivered = true};
  bool const is_refused = status >= 400 && status < 500 && status != 408 && status != 429;
  return {.may_try_again = !is_refused, .cause = fmt::format("the receiver answered {}", status)};
}

struct webhook_receiver::impl {
  /// A connection that `cut` can end.
  class connection {
   public:
    explicit connection(impl& of) : stream{of.executor}, of_{of} { of_.open.insert(this); }
    ~connection() { of_.open.erase(this); }
    connection(connection const&) = delete;
    connection& operator=(connection const&) = delete;

    beast::tcp_stream stream;

   private:
    impl& of_;
  };

  asio::awaitable<error_code> connect(connection&, deadline_time);
  asio::awaitable<webhook_outcome> exchange(connection&, std::string_view request);
  std::string make_request(std::string_view body) const;

  asio::any_io_executor executor;
  webhook_address address;
  std::function<std::string()> secret;
  webhook_receiver::options settings;
  names::lookup names{executor};
  std::optional<asio::ssl::context> tls = {};
  std::set<connection*> open = {};
  bool is_cut = false;
};

/// Tries the addresses of the host one after the other. Each has its share of the time that is left, so that one that
/// does not answer does not keep the others from being tried.
asio::awaitable<error_code> webhook_receiver::impl::connect(connection& to, deadline_time deadline) {
  error_code is_name;
  std::vector<asio::ip::address> found{asio::ip::make_address(address.host, is_name)};
  if (is_name) {
    auto finding = names.find(address.host, deadline);
    auto const answer = co_await std::move(finding);
    if (answer.failure) co_return answer.failure;
    found = answer.addresses;
  }
  error_code failed = asio::error::host_not_found;
  for (auto left = static_cast<std::ptrdiff_t>(found.size()); auto const& each : found) {
    if (is_cut) co_return asio::error::operation_aborted;
    auto const now = std::chrono::steady_clock::now();
    to.stream.expires_at(now + (deadline - now) / left--);
    asio::ip::tcp::endpoint const endpoint{each, address.port};
    std::tie(failed) = co_await to.stream.async_connect(endpoint, as_result);
    if (!failed) break;
    error_code ignored;
    to.stream.socket().close(ignored);
  }
  to.stream.expires_at(deadline);
  co_return failed;
}

asio::awaitable<webhook_outcome> webhook_receiver::impl::exchange(connection& to, std::string_view request) {
  if (!tls) {
    auto plain = ask_receiver(to.stream, request);
    auto const answered = co_await std::move(plain);
    co_return answered;
  }
  encrypted_stream encrypted{to.stream, *tls};
  error_code is_name;
  asio::ip::make_address(address.host, is_name);
  // Servers choose their certificate by this name, which may not be an address (RFC 6066, 3).
  if (is_name) SSL_set_tlsext_host_name(encrypted.native_handle(), address.host.c_str());
  asio::ssl::host_name_verification const named{address.host};
  error_code failed;
  encrypted.set_verify_callback(named, failed);
  std::tie(failed) = co_await encrypted.async_handshake(asio::ssl::stream_base::client, as_result);
  if (failed) co_return not_delivered("the TLS handshake failed", failed);
  auto asking = ask_receiver(encrypted, request);
  auto const answered = co_await std::move(asking);
  co_return answered;
}

std::string webhook_receiver::impl::make_request(std::string_view body) const {
  auto const at = std::chrono::floor<std::chrono::seconds>(settings.clock());
  return fmt::format(
      "POST {} HTTP/1.1\r\n"
      "Host: {}\r\n"
      "User-Agent: petstore/{}\r\n"
      "Content-Type: application/json\r\n"
      "Connection: close\r\n"
      "Petstore-Signature: {}\r\n"
      "Content-Length: {}\r\n"
      "\r\n{}",
      address.target, address.authority, program_version, signature_of(secret(), at, body), body.size(), body);
}

webhook_receiver::webhook_receiver(asio::any_io_executor executor, webhook_address address,
                                   std::function<std::string()> secret, options o)
    : impl_{new impl{std::move(executor), std::move(address), std::move(secret), std::move(o)}} {
  if (impl_->address.is_encrypted) impl_->tls.emplace(make_context(impl_->settings.authorities));
}

webhook_receiver::webhook_receiver(asio::any_io_executor executor, webhook_address address,
                                   std::function<std::string()> secret)
    : webhook_receiver{std::move(executor), std::move(address), std::move(secret), options{}} {}

webhook_receiver::~webhook_receiver() = default;

asio::awaitable<webhook_outcome> webhook_receiver::send(std::string body) {
  auto& own = *impl_;
  if (own.is_cut) co_return webhook_outcome{.cause = "the server stops"};
  auto const request = own.make_request(body);
  impl::connection to{own};
  auto connecting = own.connect(to, std::chrono::steady_clock::now() + own.settings.deadline);
  auto const unconnected = co_await std::move(connecting);
  if (unconnected) co_return not_delivered("the receiver cannot be reached", unconnected);
  auto exchanging = own.exchange(to, request);
  auto const outcome = co_await std::move(exchanging);
  co_return outcome;
}

void webhook_receiver::cut() noexcept {
  impl_->is_cut = true;
  impl_->names.close();
  for (auto* each : impl_->open) each->stream.close();
}

}  // namespace petstore::program
