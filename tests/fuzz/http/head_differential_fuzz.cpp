// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <map>
#include <optional>
#include <string>

#include "fuzz/http/reading.hpp"
#include "fuzz/http/stricter_rules.hpp"
#include "fuzz/require.hpp"
#include "fuzz/target.hpp"

/// Compares request_reader with Beast's request_parser on the same bytes. Beast accepts every request that
/// request_reader accepts, with the same meaning and the same end. A request that only Beast accepts breaks a rule of
/// stricter_rules.hpp, and request_reader accepts no request that breaks one. So the two differ only by these rules.
namespace petstore::fuzz {
namespace {

namespace http = boost::beast::http;

/// A limit, because Beast allocates memory for the whole Content-Length.
constexpr std::size_t body_bytes_max = 64 * 1024;

/// nullopt if Beast refuses the request, or if it is not complete.
std::optional<beast_message> read_by_beast(std::string_view bytes) {
  http::request_parser<http::string_body> parser;
  parser.eager(true);
  parser.header_limit(std::uint32_t(-1));
  parser.body_limit(body_bytes_max);
  beast_message m;
  while (m.size < bytes.size() && !parser.is_done()) {
    boost::system::error_code ec;
    std::size_t const n = parser.put(boost::asio::buffer(bytes.data() + m.size, bytes.size() - m.size), ec);
    m.size += n;
    if (ec || n == 0) return std::nullopt;
  }
  if (!parser.is_done()) return std::nullopt;
  auto const& req = parser.get();
  m.bytes = bytes.substr(0, m.size);
  m.method = std::string_view{req.method_string().data(), req.method_string().size()};
  m.target = std::string_view{req.target().data(), req.target().size()};
  m.http_1_0 = req.version() == 10;
  m.keep_alive = parser.keep_alive();  // req.keep_alive() looks only at the first Connection field
  m.chunked = req.chunked();
  m.body = req.body();
  for (auto const& f : req) m.fields.emplace_back(std::string{f.name_string()}, std::string{f.value()});
  return m;
}

/// Changes an absolute target to the form that request_reader gives it: the target is the path, and Host the authority.
void resolve_absolute_target(beast_message& m) {
  if (m.target.starts_with('/') || m.target == "*") return;
  auto const begin = m.target.find("://") + 3;
  auto const end = std::min(m.target.find_first_of("/?", begin), m.target.size());
  for (auto& [name, value] : m.fields)
    if (lowered(name) == "host") value = m.target.substr(begin, end - begin);
  auto const rest = m.target.substr(end);
  if (rest.empty()) {
    m.target = m.method == "OPTIONS" ? "*" : "/";
  } else {
    m.target = rest.starts_with('/') ? rest : "/" + rest;
  }
}

std::map<std::string, field_list> by_name(field_list const& fields) {
  std::map<std::string, field_list> groups;
  for (auto const& f : fields) groups[lowered(f.first)].push_back(f);
  return groups;
}

/// Beast groups fields of one name and appends the trailers; this service drops trailers.
bool is_same(field_list const& here, field_list const& there, bool may_have_trailers) {
  auto const mine = by_name(here);
  auto const theirs = by_name(there);
  if (!may_have_trailers) return mine == theirs;
  return std::ranges::all_of(mine, [&](auto const& group) {
    auto const other = theirs.find(group.first);
    return other != theirs.end() && other->second.size() >= group.second.size() &&
           std::equal(group.second.begin(), group.second.end(), other->second.begin());
  });
}

void require_same(message const& here, beast_message there) {
  resolve_absolute_target(there);
  require(to_string(here.method) == there.method, "both read one method", to_text(here), there.bytes);
  require(here.target == there.target, "both read one target", to_text(here), there.bytes);
  require(here.http_1_0 == there.http_1_0, "both read one version", to_text(here), there.bytes);
  require(here.keep_alive == there.keep_alive, "both keep the connection, or neither", to_text(here), there.bytes);
  require(here.chunked == there.chunked, "both read one coding", to_text(here), there.bytes);
  require(here.body == there.body, "both read one body", to_text(here), there.bytes);
  require(is_same(here.fields, there.fields, here.chunked), "both read the same fields", to_text(here), there.bytes);
}

/// The service skips up to two empty lines before a request; Beast refuses them.
std::string_view skip_empty_lines(std::string_view bytes) {
  for (int i = 0; i < 2 && bytes.starts_with("\r\n"); ++i) bytes.remove_prefix(2);
  return bytes;
}

}  // namespace

void check(std::string_view input) {
  // Beast treats this field, which is not in any RFC, like Connection.
  if (lowered(input).find("proxy-connection") != std::string::npos) return;

  server::connection_limits limits;
  limits.request_line_bytes_max = limits.header_bytes_max = limits.header_fields_max = 1 << 20;
  limits.body_bytes_max = body_bytes_max;

  // Compares message after message, to find a second one hidden in the first.
  for (std::string_view rest = input; !rest.empty();) {
    auto const request = skip_empty_lines(rest);
    auto const there = read_by_beast(request);
    auto const here = read_connection(rest, limits, {});
    if (!there) {
      bool const is_told_too_large = !here.messages.empty() && here.messages[0].body_too_large;
      require(here.messages.empty() || is_told_too_large, "what is taken here, Beast takes", to_text(here), rest);
      return;
    }
    auto const broken = find_broken_rule(*there);
    if (here.messages.empty() || here.messages[0].body_too_large) {
      require(broken != nullptr, "what Beast alone takes breaks a rule", to_text(here), rest);
      return;
    }
    require(broken == nullptr, "what breaks a rule is not taken", broken ? broken->name : "", rest);
    require_same(here.messages[0], *there);
    auto const alone = read_connection(there->bytes, limits, {});
    require(alone.messages.size() == 1 && alone.messages[0] == here.messages[0] &&
                alone.stage == request_reader::stage::between,
            "both see one end of the message", to_text(alone), rest);
    rest = request.substr(there->size);
  }
}

}  // namespace petstore::fuzz
