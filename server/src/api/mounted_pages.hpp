// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <vector>

#include "petstore/server/http_handler.hpp"
#include "petstore/server/mount.hpp"

namespace petstore::server {

/// Tries the host's pages first, then the service. The service also answers input that never became a request.
class mounted_pages final : public http_handler {
 public:
  mounted_pages(std::vector<mount> const& mounts, http_handler& rest) : mounts_{mounts}, rest_{rest} {}

  asio::awaitable<void> handle(request const&, response& out) override;
  void refuse(errc, std::string_view message, request const& partial, response& out) override;

 private:
  std::vector<mount> const& mounts_;
  http_handler& rest_;
};

}  // namespace petstore::server
