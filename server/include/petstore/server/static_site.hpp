// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/error.hpp"
#include "petstore/etag.hpp"
#include "petstore/export.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"

namespace petstore::server {

/// A file of a site. The views must be valid as long as the site.
struct PETSTORE_EXPORT static_page {
  std::string_view path;         ///< where it is served: "/docs"
  std::string_view type;         ///< its Content-Type
  std::string_view body;         ///< as it is sent
  std::string_view gzip = {};    ///< the same body, compressed; empty: it is never compressed
  std::string_view policy = {};  ///< its Content-Security-Policy; empty: none
};

/// Pages that do not change while the process runs. The site is immutable, so all services of a process share one. Any
/// thread.
class PETSTORE_EXPORT static_site {
 public:
  /// Reads each page to make its entity tag. No two pages may have the same path.
  explicit static_site(std::vector<static_page>);

  class entry;
  /// Returns nullptr if there is no such page. `path` is as sent, with escapes decoded.
  entry const* find(std::string_view path) const noexcept;

  /// Answers 200 with the page, compressed if the client accepts gzip (RFC 9110, 12.5.3), or 304 if the client has it.
  /// Fills in everything except Cache-Control. A malformed If-None-Match is an error, as for every operation.
  static result<void> answer(entry const&, request const&, response&);

 private:
  std::vector<entry> entries_;
};

/// One page and its tags.
class PETSTORE_EXPORT static_site::entry {
 public:
  /// Called by static_site.
  explicit entry(static_page const&);
  /// The page as it was given.
  static_page const& page() const noexcept { return page_; }

 private:
  friend class static_site;
  static_page page_;
  entity_tag tag_;       ///< of the uncompressed page
  entity_tag gzip_tag_;  ///< of the compressed page; strong tags must differ (RFC 9110, 8.8.3.3)
};

// Defined here, so that routing does not need the code that answers.
inline static_site::entry const* static_site::find(std::string_view path) const noexcept {
  auto const found = std::ranges::find_if(entries_, [path](entry const& e) { return e.page_.path == path; });
  return found == entries_.end() ? nullptr : &*found;
}

/// Returns a strong tag that depends only on the bytes: the same on every node and after each start.
PETSTORE_EXPORT entity_tag tag_of(std::string_view bytes) noexcept;

}  // namespace petstore::server
