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

/// A file of a site. Its texts live as long as the site.
struct PETSTORE_EXPORT static_page {
  std::string_view path;         ///< where it is served: "/docs"
  std::string_view type;         ///< its Content-Type
  std::string_view body;         ///< as it is sent
  std::string_view gzip = {};    ///< the same, compressed; empty: it is sent as it is
  std::string_view policy = {};  ///< its Content-Security-Policy; empty: none
};

/// Pages that do not change while the process runs. Never changed, so all services of a process share one. Any thread.
class PETSTORE_EXPORT static_site {
 public:
  /// Makes a tag for each page, by reading all of it. No two pages have the same path.
  explicit static_site(std::vector<static_page>);

  class entry;
  /// nullptr: there is no such page. `path` as it was sent, escapes decoded.
  entry const* find(std::string_view path) const noexcept;

  /// 200 with the page, compressed when the client takes gzip (RFC 9110, 12.5.3); 304 when the client has it. Fills in
  /// everything but Cache-Control. A broken If-None-Match is an error, as it is everywhere.
  static result<void> answer(entry const&, request const&, response&);

 private:
  std::vector<entry> entries_;
};

/// One page and its tags.
class PETSTORE_EXPORT static_site::entry {
 public:
  /// For static_site.
  explicit entry(static_page const&);
  /// As it was given.
  static_page const& page() const noexcept { return page_; }

 private:
  friend class static_site;
  static_page page_;
  entity_tag tag_;       ///< of the page as it is
  entity_tag gzip_tag_;  ///< and compressed: a strong tag tells the two apart (RFC 9110, 8.8.3.3)
};

// Here, so that who routes needs nothing of what answers.
inline static_site::entry const* static_site::find(std::string_view path) const noexcept {
  auto const found = std::ranges::find_if(entries_, [path](entry const& e) { return e.page_.path == path; });
  return found == entries_.end() ? nullptr : &*found;
}

/// A strong tag made of nothing but the bytes: the same on every node and after each start.
PETSTORE_EXPORT entity_tag tag_of(std::string_view bytes) noexcept;

/// Whether the Accept-Encoding of a request allows `gzip`. Without the field: no.
PETSTORE_EXPORT bool accepts_gzip(request const&) noexcept;

}  // namespace petstore::server
