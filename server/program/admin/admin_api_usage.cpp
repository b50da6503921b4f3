// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <array>
#include <chrono>

#include "admin/admin_answer.hpp"
#include "admin/admin_api.hpp"
#include "petstore/server/accept.hpp"
#include "petstore/server/query_parameters.hpp"
#include "store/daily_usage.hpp"

namespace petstore::program {
namespace {

using std::chrono::sys_days;

std::optional<sys_days> read_date(server::query_parameter const& p, server::query_faults& faults) {
  std::array<char, 16> buffer;  // a date is shorter
  auto const sent = server::read_parameter(p, buffer, faults);
  if (!sent) return std::nullopt;
  auto const date = parse_date(*sent);
  if (!date) faults.add(p.name, "must be a date such as 2026-11-25");
  return date;
}

result<usage_period> read_period(std::string_view query, sys_days today) {
  std::array<server::query_parameter, 2> known{{{.name = "from"}, {.name = "to"}}};
  server::find_parameters(query, known);
  server::query_faults faults;
  auto const from = read_date(known[0], faults);
  auto const to = read_date(known[1], faults);
  if (!faults.empty()) return faults.take();
  return make_period(from, to, today);
}

bool prefers_csv(server::request const& req) {
  auto const weight = [&](std::string_view type) { return server::weight_of(req, "Accept", type).value_or(0); };
  return weight("text/csv") > 0 && weight("text/csv") >= weight("application/json");
}

}  // namespace

admin_api::outcome admin_api::get_usage(call const& c) {
  auto const period = read_period(c.req.query, std::chrono::floor<std::chrono::days>(c.now));
  if (!period) co_return period.error();
  auto finding = keys_.find(c.key);
  auto const found = co_await std::move(finding);
  if (!found) co_return found.error();
  auto reading = parts_.store.read_usage(c.key, period->first, period->last);
  auto const used = co_await std::move(reading);
  if (!used) co_return used.error();
  auto const days = fill_days(*used, *period);
  c.out.add("Vary", "Accept");
  if (prefers_csv(c.req)) {
    answer_text(c.out, "text/csv; charset=utf-8", usage_as_csv(days));
  } else {
    answer_json(c.out, usage_as_json(days));
  }
  co_return result<void>{};
}

}  // namespace petstore::program
