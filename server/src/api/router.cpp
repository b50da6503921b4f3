// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/router.hpp"

#include <algorithm>
#include <span>

#include "petstore/server/percent.hpp"

namespace petstore::server {
namespace {

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
  resource r{.path = path_template{path}, .by_method = {}};
  for (auto const& op : operations)
    if (op.path == path) r.of(op.method) = &op;
  r.of(method::head) = r.of(method::get);
  return r;
}

constexpr auto resources = [] {
  std::array<resource, count_paths()> all{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < operations.size(); ++i)
    if (is_first_of_its_path(i)) all[n++] = make_resource(operations[i].path);
  return all;
}();

static_assert(resources.back().path.text() == documentation_row.path);

/// The last one is not below the base path.
constexpr auto below_base_path = std::span{resources}.first<resources.size() - 1>();

constexpr std::array listed{method::get, method::head, method::post, method::put, method::patch, method::delete_};

/// An escaped path that decodes to more than this matches nothing.
constexpr std::size_t decoded_bytes_max = 512;

/// Appends the methods in the format of an Allow field.
template <class Has>
void append_methods(std::string& out, Has has) {
  for (method const m : listed)
    if (has(m)) out.append(to_string(m)).append(", ");
  out.append(to_string(method::options));
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

  for (auto const& r : below_base_path) {
    path_ids ids;
    if (!r.path.match(below, ids)) continue;
    found.resource = &r;
    found.operation = r.of(m);
    found.ids = ids;
    break;
  }
  return found;
}

route router::match_page(method m, std::string_view plain) const noexcept {
  route found;
  found.page = documentation_->find(plain);
  if (!found.page && (m == method::get || m == method::head)) found.redirect = find_documentation_redirect(plain);
  if (!found.page && found.redirect == documentation_redirect::none) return found;
  found.resource = &resources.back();
  found.operation = resources.back().of(m);
  return found;
}

void append_allow_of_service(std::string& out) {
  append_methods(out, [](method m) { return std::ranges::any_of(resources, [m](auto const& r) { return r.has(m); }); });
}

void append_allow(std::string& out, route const& where) {
  if (!where.may_exist()) return append_allow_of_service(out);
  append_methods(out, [&](method m) { return where.resource->has(m); });
}

}  // namespace petstore::server
