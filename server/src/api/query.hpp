// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/list_query.hpp"
#include "petstore/server/query_parameters.hpp"

namespace petstore::server {

/// What happens to parameters that a list does not know.
enum class unknown_parameters : bool { ignored, refused };

/// The parameters that a list knows, as a query has them: `limit`, `cursor` and the filters of the kind. Views into the
/// query. Any thread.
class list_parameters {
 public:
  list_parameters(record_kind, std::string_view query) noexcept;

  /// Each known parameter may occur once, with a value. The error is invalid_request with a message that names every
  /// fault, but repeats no unknown name.
  result<list_query> parse(unknown_parameters = unknown_parameters::ignored) const;

  /// Appends the query of the next page up to its cursor: these parameters, which `parse` has accepted. Nothing else is
  /// repeated, so the text is always short.
  void append_next(std::string& out) const;

 private:
  query_parameter const& limit() const noexcept { return all_[0]; }
  query_parameter const& cursor() const noexcept { return all_[1]; }
  std::span<query_parameter const, filters_max> filters() const noexcept { return std::span{all_}.subspan<2>(); }

  record_kind kind_;
  bool has_unknown_ = false;
  std::array<query_parameter, 2 + filters_max> all_;  ///< where a kind has fewer filters, the others have no name
};

}  // namespace petstore::server
