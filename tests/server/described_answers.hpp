// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace petstore::server {

using faults = std::vector<std::string>;

/// An OpenAPI document as a judge of answers. Knows the part of JSON Schema that our document uses, and calls every
/// keyword it does not know a fault, so that nothing in the document goes unchecked.
class described_answers {
 public:
  explicit described_answers(std::string_view document);

  boost::json::object const& document() const { return document_.as_object(); }
  /// The operation object of that operationId; nullptr: none.
  boost::json::object const* find_operation(std::string_view operation_id) const;

  /// What is wrong with an answer of that operation: an undescribed status, a field that is missing or not described, a
  /// body that does not fit its schema.
  faults judge(std::string_view operation_id, unsigned status,
               std::vector<std::pair<std::string, std::string>> const& fields, std::string_view body) const;

  /// Appends what is wrong with a value.
  void check_value(boost::json::value const& schema, boost::json::value const& value, std::string const& where,
                   faults& found) const;

 private:
  boost::json::object const& resolve(boost::json::value const&) const;
  void check_fields(boost::json::object const& described,
                    std::vector<std::pair<std::string, std::string>> const& fields, faults& found) const;

  boost::json::value document_;
};

}  // namespace petstore::server
