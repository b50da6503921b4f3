// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "figures/sample_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "report/objective.hpp"

namespace petstore::load {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr int per_second = 200;

nanoseconds of_seconds(double s) {
  return nanoseconds(std::llround(s * 1e9));
}

}  // namespace

answered answer_of(instant begin, nanoseconds due, nanoseconds latency) {
  answered a;
  a.status = 200;
  a.intended = a.sent = begin + due;
  a.first_byte = a.done = a.intended + latency;
  a.bytes_out = 120;
  a.bytes_in = 700;
  return a;
}

capacity_figures sample_capacity() {
  capacity_figures found;
  found.objective = "p99<5ms";
  found.knees = {1'000, 1'200};
  found.median = 1'100;
  found.least = 1'000;
  found.most = 1'200;
  found.tries = {{1'000, true, false, "p99 is 2.00 ms", 1, 999.5, 1ms, 2ms},
                 {2'000, false, false, "p99 is 90.0 ms", 1, 1'500, 20ms, 90ms},
                 {4'000, false, true, "p99: there is no such figure", 1, 0, 0ns, 0ns},
                 {1'200, true, false, "p99 is 3.00 ms", 2, 1'200, 1ms, 3ms}};
  return found;
}

results sample_run(sample const& wanted) {
  recording const about{{"list", "get", wanted.operation}, {"free", "gold"}, sample_begin, 1s};
  recorder first(about);
  recorder second(about);
  std::mt19937_64 random(wanted.seed);
  std::lognormal_distribution<double> latency(std::log(900e3 * wanted.slower), 0.4);
  double const stall_begin = wanted.seconds / 2.0;
  double const stall_end = stall_begin + 0.9;
  std::int64_t left = 60;
  for (int i = 0; i < wanted.seconds * per_second; ++i) {
    double const due = static_cast<double>(i) / per_second;
    auto a = answer_of(sample_begin, of_seconds(due), nanoseconds(std::llround(latency(random))));
    if (wanted.stalls && due >= stall_begin && due < stall_end) {
      a.sent = sample_begin + of_seconds(stall_end);
      a.first_byte = a.done = a.sent + nanoseconds(std::llround(latency(random)));
    }
    a.operation = static_cast<std::uint16_t>(i % 3);
    if (i % 10 == 0) {
      a.key = 0;
      a.quota = {60, std::max<std::int64_t>(--left, 0), "minute"};
      if (left < 0) a.status = 429;
    } else {
      a.key = 1;
      a.quota = {100'000, 100'000 - i, i % 2 == 0 ? "day" : "minute"};
    }
    if (i % 331 == 7) {
      a.status = 503;
      a.error = error_kind::unexpected_status;
      a.what = "503 Service Unavailable";
    }
    if (i % 997 == 3) {
      a.status = 0;
      a.error = error_kind::timeout;
      a.what = "no answer within 1 s";
      a.first_byte = {};
      a.done = a.intended + 1s;
    }
    auto& worker = i % 2 == 0 ? first : second;
    worker.record(a);
    worker.record_lag(nanoseconds(10'000 + i % 7'000));
    if (i % 400 == 0) worker.record(opened{a.done, 80us, 900us});
  }
  run_facts run;
  run.started = "2026-11-22T02:11:09Z";
  run.command = "petstore-load http://127.0.0.1:8080/v1/pets --rate 200";
  run.scenario = "sample";
  run.targets = {"http://127.0.0.1:8080/v1/pets"};
  run.schedule = "200/s constant";
  run.rate_wanted = per_second;
  run.warm_up = 2s;
  run.planned = std::chrono::seconds(wanted.seconds);
  run.connections_max = 64;
  run.seed = 42;
  run.ended_by = "its duration";
  run.machine = "a machine of no matter";
  run.version = "1.0.0";
  tool_facts tool;
  tool.threads = {{1s, std::chrono::seconds(wanted.seconds), 0.25}, {2s, std::chrono::seconds(wanted.seconds), 0.5}};
  std::array<recorder const*, 2> const all{&first, &second};
  auto found = collect(std::move(run), std::move(tool), all, sample_begin + std::chrono::seconds(wanted.seconds));
  found.audit =
      audit_figures{2,
                    3'900,
                    100,
                    {"No key was admitted more often than its plan allows."},
                    {"Retry-After was never tried."},
                    {{"free", "over-admission", "61 admissions of 60.", 12s}, {"free", "reset", "It moved.", {}}}};
  for (auto const* condition : {"p99>5ms", "rate<1"})
    found.conditions.push_back(judged(*parse_objective(condition).value, found));
  return found;
}

}  // namespace petstore::load
