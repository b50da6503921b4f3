// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>

#include "petstore/error.hpp"
#include "petstore/etag.hpp"

namespace petstore::storage::rules {

/// A record in a store. The rules take a pointer to it; null means that there is none.
template <class Record>
struct present {
  Record record;
  entity_tag tag;
};

/// null: there is none.
template <class Record>
present<Record> const* pointer_to(std::optional<present<Record>> const& r) {
  return r ? &*r : nullptr;
}
template <class Record>
Record const* record_in(std::optional<present<Record>> const& r) {
  return r ? &r->record : nullptr;
}

/// A missing record is not_found, even if there is a condition.
template <class Record>
result<void> check_condition(present<Record> const* existing, etag_condition const& condition) {
  if (!existing) return error{.code = errc::not_found, .message = {}, .cause = {}};
  if (condition.present() && !condition.matches_strong(existing->tag))
    return error{.code = errc::precondition_failed, .message = {}, .cause = {}};
  return {};
}

}  // namespace petstore::storage::rules
