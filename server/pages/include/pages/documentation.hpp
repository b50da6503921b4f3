// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

#include "petstore/server/static_site.hpp"

namespace petstore::pages {

/// The page at /docs with its files: it shows the operations of the service's own OpenAPI document, and can call them.
/// If the build had no npm, it is a page that links to the document. It loads nothing from another host. Any thread.
class documentation {
 public:
  /// `base_path` is that of the service, where the document is.
  explicit documentation(std::string_view base_path);
  documentation(documentation const&) = delete;
  documentation& operator=(documentation const&) = delete;

  server::static_site const& site() const noexcept { return site_; }
  /// Whether the page itself shows the operations.
  static bool is_whole() noexcept;

 private:
  std::string const page_;
  std::string const licenses_;
  server::static_site const site_;
};

}  // namespace petstore::pages
