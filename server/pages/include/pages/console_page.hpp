// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pages/documentation.hpp"
#include "petstore/server/static_site.hpp"

namespace petstore::pages {

/// The pages of the console with their files: / shows what happens, /keys lists the keys, `key_path` shows one, /audit
/// lists their changes, /pets and /orders list animals and orders, /docs documents the administration API. If the build
/// had no npm, / has numbers without charts. The pages get their data from their own host. Any thread.
class console_page {
 public:
  /// Where the site has the page of a key, which is the same for all keys.
  static constexpr std::string_view key_path = "/keys/{id}";

  /// The administration API is below `api_path`.
  explicit console_page(std::string_view api_path);
  console_page(console_page const&) = delete;
  console_page& operator=(console_page const&) = delete;

  server::static_site const& site() const noexcept { return site_; }
  static bool has_charts() noexcept;

 private:
  std::vector<std::string> const texts_;  ///< of the pages
  std::string const licenses_;
  documentation const documentation_;
  server::static_site const site_;
};

}  // namespace petstore::pages
