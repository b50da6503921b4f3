// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/router.hpp"

#include <algorithm>
#include <span>

#include "http/percent.hpp"
#include "petstore/json.hpp"

namespace petstore::server {
namespace {

constexpr std::size_t index(method m) noexcept {
  return static_cast<std::size_t>(m);
}

constexpr bool is_first_of_its_path(std::size_t i) noexcept {
  for (std::size_t k = 0; k < i; ++k)
    if (operations[k].path == operations[i].path) return false;
  return true;
}

constexpr std::size_t count_paths() noexcept {
  std::size_t n = 0;
  for (std::size_t i = 0; i < operations.size(); ++i) n += is_first_of_its_path(i) ? 1u : 0u;
  return n;
}

constexpr resource make_resource(std::string_view path) {
  resource r{.path = path, .fixed = path.substr(0, path.find('{')), .has_id = path.ends_with('}'), .by_method = {}};
  for (auto const& op : operations)
    if (op.path == path) r.by_method[index(op.method)] = &op;
  r.by_method[index(method::head)] = r.by_method[index(method::get)];
  return r;
}

constexpr auto resources = [] {
  std::array<resource, count_paths()> all{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < operations.size(); ++i)
    if (is_first_of_its_path(i)) all[n++] = make_resource(operations[i].path);
  return all;
}();

static_assert(
    [] {
      for (std::size_t i = 0; i < operations.size(); ++i)
        if (operations[i].id != static_cast<operation_id>(i)) return false;
      return true;
    }(),
    "an operation's place in the table is its id");
static_assert(std::ranges::all_of(resources, [](auto const& r) { return r.has_id != (r.fixed == r.path); }),
              "a {segment} is the last one");

/// The last one is not below the base path.
constexpr auto below_base_path = std::span{resources}.first<resources.size() - 1>();

constexpr std::array listed{method::get, method::head, method::post, method::put, method::patch, method::delete_};

/// A path with escapes that decodes to more than this leads nowhere.
constexpr std::size_t decoded_bytes_max = 512;

bool matches(resource const& r, std::string_view path) noexcept {
  if (!path.starts_with(r.fixed)) return false;
  std::string_view const rest = path.substr(r.fixed.size());
  if (!r.has_id) return rest.empty();
  return !rest.empty() && rest.find('/') == std::string_view::npos;
}

}  // namespace

router::router(std::string_view base_path, static_site const* documentation)
    : base_path_{base_path}, documentation_{documentation} {}

route router::match(method m, std::string_view path) const noexcept {
  std::array<char, decoded_bytes_max> decoded;
  auto const plain = decode_segments(path, decoded);
  if (!plain) return {};
  auto const found = match_operation(m, *plain);
  return found.resource || !documentation_ ? found : match_page(m, *plain);
}

route router::match_operation(method m, std::string_view plain) const noexcept {
  route found;
  if (!plain.starts_with(base_path_)) return found;
  std::string_view const below = plain.substr(base_path_.size());

  auto const at = std::ranges::find_if(below_base_path, [&](auto const& r) { return matches(r, below); });
  if (at == below_base_path.end()) return found;
  found.resource = &*at;
  found.operation = at->by_method[index(m)];
  if (at->has_id) {
    auto const id = parse_int64(below.substr(at->fixed.size()));
    found.id_is_possible = id.has_value();
    found.id = id.value_or(0);
  }
  return found;
}

route router::match_page(method m, std::string_view plain) const noexcept {
  route found;
  found.page = documentation_->find(plain);
  if (!found.page) return found;
  found.resource = &resources.back();
  found.operation = resources.back().by_method[index(m)];
  return found;
}

void append_allow(std::string& out, resource const& r) {
  for (method const m : listed)
    if (r.has(m)) out.append(to_string(m)).append(", ");
  out.append(to_string(method::options));
}

void append_allow_of_service(std::string& out) {
  for (method const m : listed)
    if (std::ranges::any_of(resources, [m](auto const& r) { return r.has(m); })) out.append(to_string(m)).append(", ");
  out.append(to_string(method::options));
}

void append_allow(std::string& out, route const& where) {
  if (where.exists()) {
    append_allow(out, *where.resource);
  } else {
    append_allow_of_service(out);
  }
}

}  // namespace petstore::server
