// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/handlers.hpp"

namespace petstore::server::handlers {

outcome run(operation_id id, exchange& x) {
  switch (id) {
    case operation_id::list_pets: return list_pets(x);
    case operation_id::create_pet: return create_pet(x);
    case operation_id::get_pet: return get_pet(x);
    case operation_id::update_pet: return update_pet(x);
    case operation_id::delete_pet: return delete_pet(x);
    case operation_id::list_categories: return list_categories(x);
    case operation_id::create_category: return create_category(x);
    case operation_id::get_category: return get_category(x);
    case operation_id::list_orders: return list_orders(x);
    case operation_id::create_order: return create_order(x);
    case operation_id::get_order: return get_order(x);
    case operation_id::update_order: return update_order(x);
    case operation_id::get_quota: return get_quota(x);
    case operation_id::get_description: return get_description(x);
    case operation_id::get_documentation: return get_documentation(x);
  }
  __builtin_unreachable();
}

}  // namespace petstore::server::handlers
