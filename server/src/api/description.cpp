// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/answer.hpp"
#include "api/exchange.hpp"
#include "api/operations.hpp"
#include "petstore/server/conditions.hpp"

namespace petstore::server::handlers {

outcome get_description(exchange& x) {
  auto const known = read_condition(x.req, known_field::if_none_match);
  if (!known) return known.error();
  page const& document = *x.description;
  if (!answer_not_modified(*known, document.tag, x.out)) x.out.body = document.body;
  return result<void>{};
}

outcome get_documentation(exchange& x) {
  auto const* const page = x.where.page;
  return page ? static_site::answer(*page, x.req, x.out)
              : redirect_to_documentation(x.where.redirect, x.req, x.options, x.out);
}

}  // namespace petstore::server::handlers
