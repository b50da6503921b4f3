// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/router.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "percent.hpp"
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
  resource r{.path = path, .segments = {}, .segment_count = 0, .by_method = {}};
  for (std::string_view rest = path.substr(1);;) {
    auto const slash = rest.find('/');
    r.segments[r.segment_count++] = rest.substr(0, slash);
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
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

constexpr std::array listed{method::get, method::head, method::post, method::put, method::patch, method::delete_};

constexpr bool is_id(std::string_view segment) noexcept {
  return segment.front() == '{';
}

/// Takes the text up to the next `/` off the front, and the `/`. nullopt once nothing is left.
std::optional<std::string_view> take_segment(std::optional<std::string_view>& rest) noexcept {
  if (!rest) return std::nullopt;
  auto const slash = rest->find('/');
  std::string_view const segment = rest->substr(0, slash);
  if (slash == std::string_view::npos) {
    rest.reset();
  } else {
    rest->remove_prefix(slash + 1);
  }
  return segment;
}

bool matches(resource const& r, std::span<std::string_view const> segments) noexcept {
  if (r.segment_count != segments.size()) return false;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    bool const fits = is_id(r.segments[i]) ? !segments[i].empty() : percent_equal(segments[i], r.segments[i]);
    if (!fits) return false;
  }
  return true;
}

std::optional<std::int64_t> parse_id(std::string_view segment) noexcept {
  std::array<char, 20> buffer;  // "-9223372036854775808"
  auto const text = percent_decode(segment, buffer);
  return text ? parse_int64(*text) : std::nullopt;
}

}  // namespace

router::router(std::string_view base_path) {
  if (base_path.empty()) return;
  std::optional<std::string_view> rest = base_path.substr(1);
  while (auto const segment = take_segment(rest)) base_segments_.emplace_back(*segment);
}

route router::match(method m, std::string_view path) const noexcept {
  route found;
  if (!path.starts_with('/')) return found;
  std::optional<std::string_view> rest = path.substr(1);
  for (auto const& base : base_segments_) {
    auto const segment = take_segment(rest);
    if (!segment || !percent_equal(*segment, base)) return found;
  }

  std::array<std::string_view, resource::segments_max> segments;
  std::size_t count = 0;
  while (auto const segment = take_segment(rest)) {
    if (count == segments.size()) return found;
    segments[count++] = *segment;
  }

  auto const at = std::ranges::find_if(resources, [&](auto const& r) { return matches(r, {segments.data(), count}); });
  if (at == resources.end()) return found;
  found.resource = &*at;
  found.operation = at->by_method[index(m)];
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_id(at->segments[i])) continue;
    auto const id = parse_id(segments[i]);
    found.id_is_possible = id.has_value();
    found.id = id.value_or(0);
  }
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
