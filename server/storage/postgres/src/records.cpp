// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "records.hpp"

#include <algorithm>

#include "petstore/key_json.hpp"

namespace petstore::storage::postgres {

std::optional<rules::kept_answer> answer_in(rows const& found, int column) {
  if (found.empty() || found.is_null(0, column)) return std::nullopt;
  rules::kept_answer kept;
  auto const digest = found.text(0, column);
  std::copy_n(digest.begin(), std::min(digest.size(), kept.body_digest.size()), kept.body_digest.begin());
  kept.expires_at = unix_ms{std::chrono::milliseconds{found.number(0, column + 1)}};
  kept.answer = stored_as(found.number(0, column + 2), first_revision, std::string{found.text(0, column + 3)});
  return kept;
}

std::string stored_json(identity_record i) {
  i.quota_resets = 0;
  return to_json(i);
}

}  // namespace petstore::storage::postgres
