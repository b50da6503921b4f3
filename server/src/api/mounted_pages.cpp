// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/mounted_pages.hpp"

#include <algorithm>

namespace petstore::server {
namespace {

bool is_at_or_below(std::string_view path, std::string_view mounted) {
  return path.starts_with(mounted) && (path.size() == mounted.size() || path[mounted.size()] == '/');
}

}  // namespace

asio::awaitable<void> mounted_pages::handle(request const& asked, response& out) {
  auto const own = std::ranges::find_if(mounts_, [&](mount const& m) { return is_at_or_below(asked.path, m.path); });
  if (own == mounts_.end()) return rest_.handle(asked, out);
  out.notes.mount = &*own;
  return own->answer(asked, out);
}

void mounted_pages::refuse(errc e, std::string_view message, request const& partial, response& out) {
  rest_.refuse(e, message, partial, out);
}

}  // namespace petstore::server
