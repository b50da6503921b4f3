// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/operations.hpp"
#include "api/path_template.hpp"
#include "petstore/server/static_site.hpp"

namespace petstore::server {

/// One path with everything that can be done there.
struct resource {
  path_template path;
  std::array<operation const*, method_count> by_method{};  ///< GET is first; HEAD holds GET's; OPTIONS is not listed

  /// Whether it can be asked for in that way.
  bool has(method m) const noexcept { return by_method[static_cast<std::size_t>(m)] != nullptr; }
  /// Whether no key is needed here.
  bool keyless() const noexcept { return by_method[0] != nullptr && by_method[0]->payment == payment::keyless; }
};

/// Of the service as a whole: every method that some path has, as an Allow field lists them.
void append_allow_of_service(std::string& out);

/// Where a request leads.
struct route {
  server::resource const* resource = nullptr;    ///< nullptr: no such path
  server::operation const* operation = nullptr;  ///< nullptr: the path does not have the method, or it is OPTIONS
  path_ids ids = {};                             ///< of the path's `{segment}`s
  static_site::entry const* page = nullptr;      ///< of getDocumentation: which of its files

  /// Whether there may be something to answer with.
  bool exists() const noexcept { return resource != nullptr && ids.are_possible; }
  /// The first id in the path.
  std::int64_t id() const noexcept { return ids.numbers.front(); }
};

/// The methods of what is there: of its path, or of the service as a whole where there is no such path.
void append_allow(std::string& out, route const&);

/// Matches paths against the table, segment by segment and percent-decoded once: an escaped `/` separates nothing, and
/// a segment with a broken escape equals nothing. A trailing slash is another path. Allocates nothing. Any thread.
class router {
 public:
  /// `documentation`: the pages of getDocumentation, which are not below the base path; nullptr: there are none.
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
