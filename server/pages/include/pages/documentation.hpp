// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

#include "petstore/server/static_site.hpp"

namespace petstore::pages {

/// The page at /docs with its files: the operations of the service's own OpenAPI document, to read and to try. Where
/// the build had no npm, a page that links the document. Nothing is asked of another host. Any thread.
class documentation {
 public:
  /// `base_path` as the service has it: where the document is.
  explicit documentation(std::string_view base_path);
  documentation(documentation const&) = delete;
  documentation& operator=(documentation const&) = delete;

  server::static_site const& site() const noexcept { return site_; }
  /// Whether the operations are on the page itself.
  static bool is_whole() noexcept;

 private:
  std::string const page_;
  std::string const licenses_;
  server::static_site const site_;
};

}  // namespace petstore::pages
