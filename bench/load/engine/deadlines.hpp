// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "engine/virtual_client.hpp"

namespace petstore::load {

/// The clients that wait for an answer, in the order in which their patience ends. They all have the same patience, so
/// that is the order in which they began, and keeping it costs a request a few pointers.
///
/// Thread safety: none.
class deadlines {
 public:
  void add(virtual_client& c, instant deadline) noexcept {
    c.deadline = deadline;
    c.earlier = last_;
    c.later = nullptr;
    (last_ != nullptr ? last_->later : first_) = &c;
    last_ = &c;
  }

  void remove(virtual_client& c) noexcept {
    (c.earlier != nullptr ? c.earlier->later : first_) = c.later;
    (c.later != nullptr ? c.later->earlier : last_) = c.earlier;
    c.earlier = c.later = nullptr;
  }

  virtual_client* first() const noexcept { return first_; }  ///< null when nobody waits

 private:
  virtual_client* first_ = nullptr;
  virtual_client* last_ = nullptr;
};

}  // namespace petstore::load
