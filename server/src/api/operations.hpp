// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/key_record.hpp"
#include "petstore/ports/eventual.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/server/payment.hpp"
#include "petstore/server/request.hpp"

namespace petstore::server {

struct exchange;

/// One function for each operation. It is called after the caller was admitted and authorized. It checks parameters,
/// media type and body, asks the store, and fills in the answer's status, body and own fields; the fields of every
/// answer are added after it. If it returns an error, what it has written is discarded. None is a coroutine, so errors
/// and values that the store has at once are answered at once.
namespace handlers {

using outcome = ports::eventual<result<void>>;

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

}  // namespace handlers

/// How stable an operation is as a part of the interface.
enum class stability : std::uint8_t { contract, deprecated, beta };

/// A row of the table of operations. Routing, 404, 405 with Allow, OPTIONS, the names in the metrics and the stability
/// fields are made from it; a test compares it with the OpenAPI document. The keyless pages are in the table, too,
/// since they are routed in the same way. The document does not have them, since it describes the operations that need
/// a key.
struct operation {
  std::string_view name;        ///< operationId in the OpenAPI document
  server::method method;        ///< HEAD comes with GET, OPTIONS with every path
  std::string_view path;        ///< below the base path: see path_template
  server::payment payment;      ///< how it is paid for
  key_scope scope;              ///< the scope that the key must have
  server::stability stability;  ///< how stable it is
  handlers::outcome (*handler)(exchange&);
};

/// The table. If a path matches two rows, the earlier one counts: `/pets/search` stands before `/pets/{petId}`.
inline constexpr std::array operations{
    operation{"listPets", method::get, "/pets",  //
              payment::token, key_scope::read, stability::contract, handlers::list_pets},
    operation{"createPet", method::post, "/pets",  //
              payment::token, key_scope::write, stability::contract, handlers::create_pet},
    operation{"getPet", method::get, "/pets/{petId}",  //
              payment::token, key_scope::read, stability::deprecated, handlers::get_pet},
    operation{"updatePet", method::patch, "/pets/{petId}",  //
              payment::token, key_scope::write, stability::beta, handlers::update_pet},
    operation{"deletePet", method::delete_, "/pets/{petId}",  //
              payment::token, key_scope::write, stability::beta, handlers::delete_pet},
    operation{"listCategories", method::get, "/categories",  //
              payment::token, key_scope::read, stability::beta, handlers::list_categories},
    operation{"createCategory", method::post, "/categories",  //
              payment::token, key_scope::write, stability::beta, handlers::create_category},
    operation{"getCategory", method::get, "/categories/{categoryId}",  //
              payment::token, key_scope::read, stability::beta, handlers::get_category},
    operation{"listOrders", method::get, "/store/orders",  //
              payment::token, key_scope::read, stability::contract, handlers::list_orders},
    operation{"createOrder", method::post, "/store/orders",  //
              payment::token, key_scope::write, stability::beta, handlers::create_order},
    operation{"getOrder", method::get, "/store/orders/{orderId}",  //
              payment::token, key_scope::read, stability::beta, handlers::get_order},
    operation{"updateOrder", method::patch, "/store/orders/{orderId}",  //
              payment::token, key_scope::write, stability::beta, handlers::update_order},
    operation{"getQuota", method::get, "/quota",  //
              payment::inquiry, key_scope::read, stability::beta, handlers::get_quota},
    operation{"getDescription", method::get, "/openapi.json",  //
              payment::keyless, key_scope::read, stability::contract, handlers::get_description},
    operation{"getDocumentation", method::get, "/docs",  //
              payment::page, key_scope::read, stability::contract, handlers::get_documentation},
};
static_assert(operations.size() < operation_count_max, "the metrics keep the last row for requests of no operation");

/// The row of the pages that are not below the base path.
inline constexpr operation const& documentation_row = operations.back();
static_assert(documentation_row.handler == handlers::get_documentation);

/// The index of a row in the table, by which operations are counted.
constexpr std::size_t index_of(operation const& row) noexcept {
  return static_cast<std::size_t>(&row - operations.data());
}

}  // namespace petstore::server
