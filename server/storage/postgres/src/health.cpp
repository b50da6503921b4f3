// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "health.hpp"

namespace petstore::storage::postgres {

void health::note_lost(bool was_up, std::string_view cause) {
  {
    std::lock_guard const lock(mutex_);
    if (was_up) --connected_;
    cause_ = cause;
    if (lost_ || connected_ != 0) return;
    lost_ = true;
  }
  tell("store_lost", cause);
}

void health::note_connected() {
  {
    std::lock_guard const lock(mutex_);
    ++connected_;
    if (!lost_) return;
    lost_ = false;
  }
  tell("store_recovered", "PostgreSQL answers again");
}

void health::tell(std::string_view event, std::string_view detail) const {
  if (report_) report_(event, detail);
}

std::string health::latest_cause() const {
  std::lock_guard const lock(mutex_);
  return cause_;
}

}  // namespace petstore::storage::postgres
