// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "petstore/server/static_site.hpp"

namespace petstore::pages {

/// The page at /docs with its files: it shows the operations of an OpenAPI document of its own host, and can call them.
/// If the build had no npm, it is a page that links to the document. It loads nothing from another host. Any thread.
class documentation {
 public:
  /// The document is below `base_path`, as are its operations. `credential` is what they call the bearer token.
  explicit documentation(std::string_view base_path, std::string_view credential = "API key");
  documentation(documentation const&) = delete;
  documentation& operator=(documentation const&) = delete;

  server::static_site const& site() const noexcept { return site_; }
  /// What the site is made of, for a site that has more. The texts belong to this object.
  std::vector<server::static_page> const& pages() const noexcept { return pages_; }
  /// Whether the page itself shows the operations.
  static bool is_whole() noexcept;

 private:
  std::string const page_;
  std::string const licenses_;
  std::vector<server::static_page> const pages_;
  server::static_site const site_;
};

}  // namespace petstore::pages
