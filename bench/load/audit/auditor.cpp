// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "audit/auditor.hpp"

#include <algorithm>

namespace petstore::load {

auditor::auditor(unsigned workers) : notes_left_(audited_answers_max / workers) {}

void auditor::observe(observation const& seen) {
  using std::chrono::nanoseconds;
  auto const sent = nanoseconds(seen.sent.time_since_epoch()).count();
  if (notes_left_ == 0) {
    ++left_out_;
    complete_until_ = std::min(complete_until_, sent);
    return;
  }
  --notes_left_;
  if (pieces_.empty() || pieces_.back().size() == notes_per_piece) pieces_.emplace_back().reserve(notes_per_piece);
  auto& n = pieces_.back().emplace_back();
  n.sent = sent;
  n.received = nanoseconds(seen.received.time_since_epoch()).count();
  n.key = seen.key;
  n.target = seen.target;
  if (seen.answer != nullptr) read_fields(n, *seen.answer, seen.unix_time, resources_);
}

}  // namespace petstore::load
