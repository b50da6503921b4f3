// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "petstore/server/static_site.hpp"

namespace petstore::pages {

/// The page of the console at / with its files. If the build had no npm, it shows numbers without charts. The page gets
/// its data from its own host. Any thread.
class console_page {
 public:
  console_page();
  console_page(console_page const&) = delete;
  console_page& operator=(console_page const&) = delete;

  server::static_site const& site() const noexcept { return site_; }
  static bool has_charts() noexcept;

 private:
  std::string const page_;
  std::string const licenses_;
  server::static_site const site_;
};

}  // namespace petstore::pages
