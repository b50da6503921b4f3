// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "api/exchange.hpp"
#include "petstore/error.hpp"
#include "petstore/ports/eventual.hpp"
#include "petstore/server/router.hpp"

/// One function for each operation. It is called for a caller who was admitted and may do it; what is left to judge are
/// parameters, media type and body, and then the store decides. It fills in the answer's status, body and own fields;
/// what every answer carries is added after it. When it returns an error, what it has written is dropped. None is a
/// coroutine: what is at fault, and what the store knows at once, is answered at once.
namespace petstore::server::handlers {

using outcome = ports::eventual<result<void>>;

/// The handler of an operation.
outcome run(operation_id, exchange&);

outcome list_pets(exchange&);
outcome create_pet(exchange&);
outcome get_pet(exchange&);
outcome update_pet(exchange&);
outcome delete_pet(exchange&);

outcome list_categories(exchange&);
outcome create_category(exchange&);
outcome get_category(exchange&);

outcome list_orders(exchange&);
outcome create_order(exchange&);
outcome get_order(exchange&);
outcome update_order(exchange&);

outcome get_quota(exchange&);
outcome get_description(exchange&);
outcome get_documentation(exchange&);

}  // namespace petstore::server::handlers
