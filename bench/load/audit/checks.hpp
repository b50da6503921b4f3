// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What is judged of one key's history. Each function adds what it found to the list; none has a false alarm under the
// rules of server/quota: with any number of requests in flight, and, where `shared` says so, with nodes that hold
// tokens.
#pragma once

#include <cstdint>

#include "audit/history.hpp"

namespace petstore::load {

/// Each answer by itself: do its fields agree with each other, and with the plan?
void check_answers(history const&, finding_list&);

/// A quota that is refilled whole when its period ends: as many admissions in each announced period as it has tokens,
/// no refusal while some are left, remaining that falls as it should, an end that stays where it is.
void check_periods(history const&, std::uint8_t resource, finding_list&);

/// A quota that is refilled token by token.
void check_refill(history const&, std::uint8_t resource, promised_quota const&, finding_list&);

/// Who comes back when it was told to, with nothing else in between, is not refused.
void check_retries(history const&, finding_list&);

}  // namespace petstore::load
