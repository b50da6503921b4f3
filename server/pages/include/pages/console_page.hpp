// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "petstore/server/static_site.hpp"

namespace petstore::pages {

/// The pages of the console with their files: / shows what happens, /keys works with the keys. If the build had no npm,
/// there are numbers without charts. The pages get their data from their own host. Any thread.
class console_page {
 public:
  console_page();
  console_page(console_page const&) = delete;
  console_page& operator=(console_page const&) = delete;

  server::static_site const& site() const noexcept { return site_; }
  static bool has_charts() noexcept;

 private:
  std::string const live_;
  std::string const keys_;
  std::string const licenses_;
  server::static_site const site_;
};

}  // namespace petstore::pages
