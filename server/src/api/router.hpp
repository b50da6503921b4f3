// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/documentation_redirects.hpp"
#include "api/operations.hpp"
#include "api/path_template.hpp"
#include "petstore/server/static_site.hpp"

namespace petstore::server {

/// One path with all its operations.
struct resource {
  path_template path;
  /// HEAD has GET's; OPTIONS has none.
  std::array<operation const*, static_cast<std::size_t>(method::unlink) + 1> by_method{};

  constexpr operation const*& of(method m) noexcept { return by_method[static_cast<std::size_t>(m)]; }
  constexpr operation const* of(method m) const noexcept { return by_method[static_cast<std::size_t>(m)]; }
  /// Whether the path has the method.
  bool has(method m) const noexcept { return of(m) != nullptr; }
  /// Whether the path needs no key.
  bool keyless() const noexcept { return has(method::get) && is_keyless(of(method::get)->payment); }
};

/// Appends the methods of the whole service, every one that some path has, in the format of an Allow field.
void append_allow_of_service(std::string& out);

/// The result of routing a request.
struct route {
  server::resource const* resource = nullptr;    ///< nullptr: no such path
  server::operation const* operation = nullptr;  ///< nullptr: the path does not have the method, or it is OPTIONS
  path_ids ids = {};                             ///< of the path's `{segment}`s
  static_site::entry const* page = nullptr;      ///< of getDocumentation: the requested file
  documentation_redirect redirect = documentation_redirect::none;  ///< of getDocumentation without a file

  /// Whether something may exist at the path.
  bool may_exist() const noexcept { return resource != nullptr && ids.are_possible; }
  /// The first id in the path.
  std::int64_t id() const noexcept { return ids.numbers.front(); }
};

/// Appends the methods of the path, or those of the whole service if there is no such path.
void append_allow(std::string& out, route const&);

/// Matches paths against the table, segment by segment and percent-decoded once: an escaped `/` separates no segments,
/// and a segment with a broken escape equals nothing. A path with a trailing slash is a different path. Allocates
/// nothing. Any thread.
class router {
 public:
  /// `documentation`: the pages of getDocumentation, which are not below the base path; nullptr: none. With pages there
  /// are also redirects to them. These exist for GET and HEAD alone: to other methods they are unknown paths.
  explicit router(std::string_view base_path, static_site const* documentation = nullptr);
  /// `path` as it was sent, without a query.
  route match(method, std::string_view path) const noexcept;

 private:
  route match_operation(method, std::string_view plain) const noexcept;
  route match_page(method, std::string_view plain) const noexcept;

  std::string base_path_;
  static_site const* documentation_;
};

}  // namespace petstore::server
