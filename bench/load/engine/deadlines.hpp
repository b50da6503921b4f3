// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "engine/virtual_client.hpp"

namespace petstore::load {

/// The clients that wait for an answer, in the order of their deadlines. They all have the same timeout, so this is the
/// order in which they began, and a request only changes a few pointers.
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

  virtual_client* first() const noexcept { return first_; }  ///< null if no client waits

 private:
  virtual_client* first_ = nullptr;
  virtual_client* last_ = nullptr;
};

}  // namespace petstore::load
