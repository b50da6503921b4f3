// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The checks of one key's history. Each function adds findings to the list. None gives a false alarm if the service
// follows the rules of server/quota, with any number of requests under way, and, if `shared` is set, with nodes that
// hold tokens.
#pragma once

#include <cstdint>
#include <string>

#include "audit/history.hpp"

namespace petstore::load {

/// Checks each answer by itself: do its fields agree with each other, and with the plan?
void check_answers(history const&, finding_list&);

/// Checks a quota with periodic refill: at most as many admissions in each announced period as it has tokens, no
/// refusal while some are left, correct remaining numbers, and an end that does not move. Returns why periods could not
/// be checked; empty if they could.
std::string check_periods(history const&, std::uint8_t resource, finding_list&);

/// Checks a quota with continuous refill.
void check_refill(history const&, std::uint8_t resource, promised_quota const&, finding_list&);

/// Checks a quota of the plan that no answer names: no stretch of time has more admissions than its periods, or its
/// refill, allow.
void check_unnamed(history const&, promised_quota const&, finding_list&);

/// Checks that a client that comes back at the announced time is not refused, if no other request came in between.
void check_retries(history const&, finding_list&);

}  // namespace petstore::load
