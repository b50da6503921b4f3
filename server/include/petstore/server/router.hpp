// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/key_record.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/server/payment.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/static_site.hpp"

namespace petstore::server {

/// Everything that can be asked for, in the order of `operations`.
enum class operation_id : std::uint8_t {
  list_pets,
  create_pet,
  get_pet,
  update_pet,
  delete_pet,
  list_categories,
  create_category,
  get_category,
  list_orders,
  create_order,
  get_order,
  update_order,
  get_quota,
  get_description,
  get_documentation,
};

/// How firmly an operation belongs to the interface.
enum class standing : std::uint8_t { contract, deprecated, beta };

/// A row of the one table from which routing, 404, 405 with Allow, OPTIONS, the metrics' names and the stability
/// fields come; a test holds it against the OpenAPI document. The keyless pages are in it as well: they are asked for
/// in the same way, but the document, which describes the interface behind the key, does not have them.
struct PETSTORE_EXPORT operation {
  operation_id id;            ///< its place in this table
  std::string_view name;      ///< operationId in the OpenAPI document
  server::method method;      ///< HEAD comes with GET, OPTIONS with every path
  std::string_view path;      ///< template below the base path; a `{segment}` is an int64
  server::payment payment;    ///< who pays
  key_scope scope;            ///< what the key must be allowed
  server::standing standing;  ///< how firm it is
};

/// The table.
inline constexpr std::array operations{
    operation{operation_id::list_pets, "listPets", method::get, "/pets",  //
              payment::token, key_scope::read, standing::contract},
    operation{operation_id::create_pet, "createPet", method::post, "/pets",  //
              payment::token, key_scope::write, standing::contract},
    operation{operation_id::get_pet, "getPet", method::get, "/pets/{petId}",  //
              payment::token, key_scope::read, standing::deprecated},
    operation{operation_id::update_pet, "updatePet", method::patch, "/pets/{petId}",  //
              payment::token, key_scope::write, standing::beta},
    operation{operation_id::delete_pet, "deletePet", method::delete_, "/pets/{petId}",  //
              payment::token, key_scope::write, standing::beta},
    operation{operation_id::list_categories, "listCategories", method::get, "/categories",  //
              payment::token, key_scope::read, standing::beta},
    operation{operation_id::create_category, "createCategory", method::post, "/categories",  //
              payment::token, key_scope::write, standing::beta},
    operation{operation_id::get_category, "getCategory", method::get, "/categories/{categoryId}",  //
              payment::token, key_scope::read, standing::beta},
    operation{operation_id::list_orders, "listOrders", method::get, "/store/orders",  //
              payment::token, key_scope::read, standing::contract},
    operation{operation_id::create_order, "createOrder", method::post, "/store/orders",  //
              payment::token, key_scope::write, standing::beta},
    operation{operation_id::get_order, "getOrder", method::get, "/store/orders/{orderId}",  //
              payment::token, key_scope::read, standing::beta},
    operation{operation_id::update_order, "updateOrder", method::patch, "/store/orders/{orderId}",  //
              payment::token, key_scope::write, standing::beta},
    operation{operation_id::get_quota, "getQuota", method::get, "/quota",  //
              payment::inquiry, key_scope::read, standing::beta},
    operation{operation_id::get_description, "getDescription", method::get, "/openapi.json",  //
              payment::keyless, key_scope::read, standing::contract},
    operation{operation_id::get_documentation, "getDocumentation", method::get, "/docs",  //
              payment::keyless, key_scope::read, standing::contract},
};
static_assert(static_cast<std::size_t>(method::get) == 0);
static_assert(operations.back().id == operation_id::get_documentation, "what is not below the base path comes last");
static_assert(operations.size() < operation_count_max, "the metrics keep the last place for requests of no operation");

/// The names in the table's order, for the metrics.
inline constexpr auto operation_names = [] {
  std::array<std::string_view, operations.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = operations[i].name;
  return names;
}();

/// One path template with everything that can be done there.
struct PETSTORE_EXPORT resource {
  std::string_view path;   ///< the template
  std::string_view fixed;  ///< the path up to its `{segment}`, which is the last one; all of it without one
  bool has_id = false;     ///< whether there is a `{segment}`
  std::array<operation const*, method_count> by_method{};  ///< GET is first; HEAD holds GET's; OPTIONS is not listed

  /// Whether it can be asked for in that way.
  bool has(method m) const noexcept { return by_method[static_cast<std::size_t>(m)] != nullptr; }
  /// Whether no key is needed here.
  bool keyless() const noexcept { return by_method[0] != nullptr && by_method[0]->payment == payment::keyless; }
};

/// The methods as an Allow field lists them.
PETSTORE_EXPORT void append_allow(std::string& out, resource const&);
/// Of the service as a whole: every method that some path has.
PETSTORE_EXPORT void append_allow_of_service(std::string& out);

/// Where a request leads.
struct PETSTORE_EXPORT route {
  server::resource const* resource = nullptr;    ///< nullptr: no such path
  server::operation const* operation = nullptr;  ///< nullptr: the path does not have the method, or it is OPTIONS
  bool id_is_possible = true;                    ///< false: the `{segment}` is no int64, so there is nothing there
  std::int64_t id = 0;                           ///< the `{segment}`, 0 without one
  static_site::entry const* page = nullptr;      ///< of getDocumentation: which of its files

  /// Whether there may be something to answer with.
  bool exists() const noexcept { return resource != nullptr && id_is_possible; }
};

/// Of what is there: of its path, or of the service as a whole where there is no such path.
PETSTORE_EXPORT void append_allow(std::string& out, route const&);

/// Matches paths against the table, segment by segment and percent-decoded once: an escaped `/` separates nothing, and
/// a segment with a broken escape equals nothing. A trailing slash is another path. Allocates nothing. Any thread.
class PETSTORE_EXPORT router {
 public:
  /// `documentation`: the pages of getDocumentation, which are not below the base path; nullptr: there are none.
  explicit router(std::string_view base_path, static_site const* documentation = nullptr);
  /// O(length of the path), whatever the number of operations. `path` as it was sent, without a query.
  route match(method, std::string_view path) const noexcept;

 private:
  route match_operation(method, std::string_view plain) const noexcept;
  route match_page(method, std::string_view plain) const noexcept;

  std::string base_path_;
  static_site const* documentation_;
};

}  // namespace petstore::server
