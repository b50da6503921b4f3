// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/target.hpp"

#include <algorithm>
#include <array>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <string>

#include "api/router.hpp"
#include "fuzz/require.hpp"
#include "fuzz/server/percent_reference.hpp"
#include "fuzz/target.hpp"
#include "petstore/json.hpp"
#include "petstore/server/percent.hpp"

/// From a request target to an operation. The first byte of an input is the method. The split of the target is compared
/// with Boost.URL, decoding and routing with simple versions.
namespace petstore::fuzz {
namespace {

using server::method;
using server::http::parse_request_target;
using server::http::target_form;

constexpr std::array methods{method::get,     method::head,    method::post,    method::put,  method::patch,
                             method::delete_, method::options, method::connect, method::trace};

std::string_view view(boost::core::string_view s) {
  return {s.data(), s.size()};
}

/// The service accepts more characters than Boost.URL. For every target that Boost.URL accepts, the parts must be the
/// same.
void compare_with_boost(std::string_view target, method m) {
  auto const mine = parse_request_target(target, m);
  if (target.starts_with('/')) {
    auto const other = boost::urls::parse_origin_form(target);
    if (!other) return;
    require(mine.form == target_form::origin, "a valid path is taken", target);
    require(mine.path == view(other->encoded_path()), "both read one path", target);
    require(mine.has_query == other->has_query() && mine.query == view(other->encoded_query()), "both read one query",
            target);
    return;
  }
  auto const other = boost::urls::parse_absolute_uri(target);
  if (mine.form != target_form::absolute || !other) return;
  require(other->has_authority() &&
              (other->scheme_id() == boost::urls::scheme::http || other->scheme_id() == boost::urls::scheme::https),
          "an absolute target is http or https", target);
  require(mine.authority == view(other->encoded_authority()), "both read one authority", target);
  auto const path = view(other->encoded_path());
  require(mine.path == path || (path.empty() && (mine.path == "/" || mine.path == "*")), "both read one path", target);
  require(mine.has_query == other->has_query() && mine.query == view(other->encoded_query()), "both read one query",
          target);
}

/// Whether a path matches the template of an operation below the base path. `{…}` stands for any segment.
bool leads_to(std::vector<std::string_view> const& sent, std::string_view path_template) {
  auto const wanted = split(path_template.substr(1), '/');
  if (sent.size() != wanted.size() + 1 || decode_plainly(sent[0]) != "v1") return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    bool const fits = wanted[i].starts_with('{') ? !sent[i + 1].empty() : decode_plainly(sent[i + 1]) == wanted[i];
    if (!fits) return false;
  }
  return true;
}

void check_route(std::string_view path, method m) {
  static server::router const router{"/v1"};
  auto const found = router.match(m, path);
  std::vector<std::string_view> segments;
  if (path.starts_with('/')) segments = split(path.substr(1), '/');

  method const looked_for = m == method::head ? method::get : m;
  bool is_path = false;
  for (auto const& op : server::operations) {
    if (!leads_to(segments, op.path)) continue;
    is_path = true;
    require(found.resource && found.resource->path.text() == op.path, "a path leads to its operation", path);
    if (op.method == looked_for) require(found.operation && found.operation == &op, "a method to its own", path);
    if (!op.path.ends_with('}')) continue;
    auto const id = parse_integer_plainly(decode_plainly(segments.back()).value_or(""));
    require(found.ids.are_possible == id.has_value() && found.id() == id.value_or(0), "an id is an int64", path);
  }
  require(is_path == (found.resource != nullptr), "no other path leads anywhere", path);
  require(!found.operation || found.operation->method == looked_for, "an operation has the method asked for", path);

  std::string allow;
  append_allow(allow, found);
  require(allow.ends_with("OPTIONS"), "every answer can say what is allowed", allow);
}

void check_percent(std::string_view encoded) {
  auto const plain = decode_plainly(encoded);
  std::array<char, 32> buffer;
  auto const decoded = server::percent_decode(encoded, buffer);
  bool const fits = plain && (plain->size() <= buffer.size() || plain->size() == encoded.size());
  require(decoded.has_value() == fits, "what is not broken and fits decodes", encoded);
  require(!decoded || *decoded == *plain, "both decode to one text", encoded);
  if (plain) {
    require(server::percent_equal(encoded, *plain), "a text equals what it decodes to", encoded);
    require(!server::percent_equal(encoded, *plain + "x"), "and nothing longer", encoded);
    require(plain->empty() || !server::percent_equal(encoded, plain->substr(1)), "and nothing shorter", encoded);
  }
}

}  // namespace

void check(std::string_view input) {
  if (input.empty()) return;
  auto const m = methods[static_cast<unsigned char>(input.front()) % methods.size()];
  auto const target = input.substr(1);

  auto const parsed = parse_request_target(target, m);
  if (parsed.form == target_form::malformed) {
    require(
        !target.starts_with('/') || std::ranges::any_of(target, [](char c) { return c <= ' ' || c > '~' || c == '#'; }),
        "a path in visible ASCII is never malformed", target);
  } else {
    check_route(parsed.path, m);
  }
  compare_with_boost(target, m);
  check_route(target, m);  // for any text
  for (auto const piece : split(target, '/')) check_percent(piece);
}

}  // namespace petstore::fuzz
