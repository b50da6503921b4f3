// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The statuses that an operation expects. Any other status is an error of the run.
#pragma once

#include <bitset>
#include <string_view>

#include "parsed.hpp"

namespace petstore::load {

class status_set {
 public:
  /// 200 to 399.
  static status_set success();

  void add(unsigned status) { known_.set(status); }
  void add_class(unsigned first_digit);  ///< 4: 400 to 499
  bool has(unsigned status) const noexcept { return status < known_.size() && known_.test(status); }
  bool operator==(status_set const&) const = default;

 private:
  std::bitset<600> known_;
};

/// Adds `404` or `2xx` to the given set.
parsed<status_set> parse_status(std::string_view text, status_set so_far = {});

}  // namespace petstore::load
