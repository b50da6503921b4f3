// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The service with a key check of the program's own: callers show JSON Web Tokens (RFC 7519, HS256) that the host's
// sign-in has made, in place of keys in the store. A token says who the customer is (`sub`, any text), and which quota
// it has.
//
// Usage: signed_tokens PORT SECRET      PORT 0 takes a free one. SECRET is a file with at least 32 bytes.
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "petstore/api_key.hpp"
#include "petstore/limits/keyed_hash.hpp"
#include "petstore/quota/local_quota.hpp"
#include "petstore/server/application.hpp"
#include "petstore/server/key_check.hpp"
#include "petstore/storage/memory.hpp"

namespace asio = boost::asio;
namespace json = boost::json;
namespace limits = petstore::limits;
namespace ports = petstore::ports;
namespace quota = petstore::quota;
namespace server = petstore::server;
namespace storage = petstore::storage;
using asio::ip::tcp;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t token_bytes_max = 4'096;
constexpr std::size_t secret_bytes_min = 32;
constexpr std::int64_t latest_s =
    std::chrono::floor<std::chrono::seconds>(limits::wall_time::max().time_since_epoch()).count();

/// base64url without padding (RFC 7515, 2); nullopt for anything else.
std::optional<std::string> decode(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string bytes;
  std::uint32_t collected = 0;
  int bits = 0;
  for (char const one : text) {
    auto const value = digits.find(one);
    if (value == std::string_view::npos) return std::nullopt;
    collected = collected << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>(collected >> bits & 0xff));
  }
  bool const is_whole = bits < 6 && (collected & ((1u << bits) - 1)) == 0;
  return is_whole ? std::optional{bytes} : std::nullopt;
}

std::optional<json::object> decode_object(std::string_view text) {
  auto const bytes = decode(text);
  if (!bytes) return std::nullopt;
  boost::system::error_code failed;
  json::value parsed = json::parse(*bytes, failed);
  if (failed || !parsed.is_object()) return std::nullopt;
  return std::move(parsed.as_object());
}

/// The number that a claim has; nullopt if it has none.
std::optional<std::int64_t> number_of(json::object const& claims, std::string_view name) {
  auto const* const claim = claims.if_contains(name);
  auto const* const number = claim ? claim->if_int64() : nullptr;
  return number ? std::optional{*number} : std::nullopt;
}

std::string_view text_of(json::object const& claims, std::string_view name) {
  auto const* const claim = claims.if_contains(name);
  auto const* const text = claim ? claim->if_string() : nullptr;
  return text ? std::string_view{text->data(), text->size()} : std::string_view{};
}

/// Unknown to customers, so that none can choose a name that shares another's quota. A host that stores quotas or
/// changes the secret derives it from a second secret, which stays: with another seed, customers have other numbers.
std::uint64_t seed_of(std::string const& secret) {
  auto const digest = petstore::sha256("the numbers of customers" + secret);
  std::uint64_t seed = 0;
  std::memcpy(&seed, digest.data(), sizeof seed);
  return seed;
}

/// Knows the customers by the tokens that they show. Any thread.
class signed_tokens final : public server::key_check {
 public:
  explicit signed_tokens(std::string secret) : secret_{std::move(secret)}, customers_{seed_of(secret_)} {
    if (secret_.size() < secret_bytes_min) throw std::runtime_error{"the secret has fewer than 32 bytes"};
  }

  ports::eventual<std::optional<server::principal>> check(std::string_view token, limits::instant now) override {
    auto const first = token.find('.');
    auto const last = token.rfind('.');
    if (token.size() > token_bytes_max || first == last) return std::nullopt;
    if (!is_signed(token.substr(0, last), token.substr(last + 1))) return std::nullopt;
    // The program chooses the algorithm, never the token: else `none` would be one.
    auto const head = decode_object(token.substr(0, first));
    if (!head || text_of(*head, "alg") != "HS256") return std::nullopt;
    auto const claims = decode_object(token.substr(first + 1, last - first - 1));
    return claims ? owner_of(*claims, now) : std::nullopt;
  }

 private:
  bool is_signed(std::string_view text, std::string_view signature) const {
    auto const shown = decode(signature);
    unsigned char right[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    auto const* const bytes = reinterpret_cast<unsigned char const*>(text.data());
    if (!HMAC(EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()), bytes, text.size(), right, &size))
      throw std::runtime_error{"OpenSSL cannot compute a signature"};  // a 503 that costs nothing
    return shown && shown->size() == size && CRYPTO_memcmp(shown->data(), right, size) == 0;
  }

  std::optional<server::principal> owner_of(json::object const& claims, limits::instant now) const {
    auto const now_s = std::chrono::floor<std::chrono::seconds>(now.wall.time_since_epoch()).count();
    auto const ends = number_of(claims, "exp");
    if (!ends || *ends <= now_s || number_of(claims, "nbf").value_or(0) > now_s) return std::nullopt;
    std::string_view const subject = text_of(claims, "sub");
    if (subject.empty()) return std::nullopt;
    server::principal owner{.identity = customers_.identity_of(subject),
                            .plan = {limits::per_minute(60), limits::per_day(1'000)}};
    owner.valid_until = limits::wall_time{std::chrono::seconds{std::min(*ends, latest_s)}};  // for a key_check_cache
    if (auto const tokens = number_of(claims, "per_minute")) {
      auto const window = limits::short_window::of(limits::per_minute(*tokens));
      if (!window) return std::nullopt;
      owner.plan.short_window = *window;
    }
    if (text_of(claims, "scope") != "write") owner.scope = petstore::key_scope::read;
    return owner;
  }

  std::string const secret_;
  limits::keyed_hash const customers_;
};

std::string read_secret(std::string const& file) {
  std::ifstream in(file, std::ios::binary);
  std::string secret{std::istreambuf_iterator<char>{in}, {}};
  if (!in) throw std::runtime_error{file + " cannot be read"};
  return secret;
}

/// Serves until a signal comes. False if requests were cut off at the end.
asio::awaitable<bool> serve(tcp::endpoint where, server::key_check& tokens) {
  auto const executor = co_await asio::this_coro::executor;
  asio::signal_set signals{executor, SIGTERM, SIGINT};
  auto acceptors = server::open_acceptors(where, {executor});
  where = acceptors.front().local_endpoint();
  server::application_options options;
  options.keys = &tokens;  // in place of the keys in the store
  server::application app({executor}, storage::make_memory_store(petstore::environment::production),
                          quota::make_local_quota({}), std::move(options));
  co_await app.async_start();
  app.listen(std::move(acceptors));
  std::cout << "listening on " << where.port() << std::endl;

  co_await signals.async_wait(as_result);
  co_return co_await app.async_drain();
}

/// Throws std::invalid_argument for anything but a number from 0 to 65535.
std::uint16_t port_of(std::string_view text) {
  std::uint16_t port = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (failed != std::errc{} || end != text.data() + text.size()) throw std::invalid_argument{"PORT is from 0 to 65535"};
  return port;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::invalid_argument{"usage: signed_tokens PORT SECRET"};
  signed_tokens tokens{read_secret(argv[2])};
  asio::io_context context{1};
  tcp::endpoint const where{asio::ip::address_v4::loopback(), port_of(argv[1])};
  bool is_whole = false;
  std::exception_ptr failed;
  auto serving = serve(where, tokens);
  asio::co_spawn(context, std::move(serving), [&](std::exception_ptr thrown, bool whole) {
    failed = thrown;
    is_whole = whole;
  });
  context.run();
  if (failed) std::rethrow_exception(failed);
  return is_whole ? 0 : 1;
} catch (std::exception const& failed) {
  std::cerr << failed.what() << '\n';
  return 1;
}
