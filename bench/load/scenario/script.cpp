// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/script.hpp"

#include <algorithm>
#include <utility>

#include "client/head_lines.hpp"

namespace petstore::load {
namespace {

bool has_field(step const& s, std::string_view name) noexcept {
  return std::ranges::any_of(s.fields, [&](field_template const& f) { return is_name(f.name, name); });
}

/// Requests with these methods have a Content-Length even if the body is empty (RFC 9110 section 8.6).
bool expects_body(std::string_view method) noexcept {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

std::string with_line_end(std::string_view name, std::string_view value) {
  return std::string(name).append(": ").append(value).append("\r\n");
}

/// The part of the head that is the same in each request of this step to this target.
std::string fixed_lines(step const& s, target_name const& target, bool keeps_alive, bool has_body) {
  std::string lines = " HTTP/1.1\r\n";
  if (!has_field(s, "Host")) lines += with_line_end("Host", target.authority);
  if (!has_field(s, "User-Agent")) lines += with_line_end("User-Agent", "petstore-load");
  if (!has_field(s, "Accept")) lines += with_line_end("Accept", "*/*");
  if (has_body && !has_field(s, "Content-Type")) lines += with_line_end("Content-Type", "application/json");
  if (!keeps_alive) lines += with_line_end("Connection", "close");
  chance unused_chance(0);
  strided_counter unused_counter;
  for (auto const& f : s.fields) {
    if (!f.value.is_fixed()) continue;
    std::string value;
    f.value.append_to(value, {unused_chance, unused_counter, 0, {}}, text_place::field);
    lines += with_line_end(f.name, value);
  }
  return lines;
}

script::prepared_step prepared(step const& s, std::uint16_t number, std::vector<target_name> const& targets,
                               bool keeps_alive) {
  bool const has_body = !s.body.is_empty() || !s.lines.empty();
  script::prepared_step made;
  made.about = &s;
  made.number = number;
  made.is_fixed = s.path.is_fixed() && s.body.is_fixed() && s.lines.empty() &&
                  std::ranges::all_of(s.fields, [](field_template const& f) { return f.value.is_fixed(); });
  made.says_length = has_body || expects_body(s.method);
  made.takes_key = !has_field(s, "Authorization");
  made.is_repeatable = s.method != "POST" && s.method != "PATCH";
  if (has_field(s, "Idempotency-Key")) made.is_repeatable = true;
  made.captures_of_body =
      std::ranges::any_of(s.captures, [](capture const& c) { return c.from == capture::origin::body; });
  for (auto const& t : targets) made.after_path.push_back(fixed_lines(s, t, keeps_alive, has_body));
  return made;
}

}  // namespace

script::script(scenario s, std::vector<target_name> targets, bool keeps_alive)
    : scenario_(std::move(s)), targets_(std::move(targets)) {
  std::uint16_t number = 0;
  double weight = 0;
  for (auto const& o : scenario_.operations) {
    weight += o.weight;
    prepared_operation made{&o, weight, {}};
    for (auto const& each : o.steps) made.steps.push_back(prepared(each, number++, targets_, keeps_alive));
    operations_.push_back(std::move(made));
  }
  for (auto const& k : scenario_.keys) authorizations_.push_back(with_line_end("Authorization", "Bearer " + k.secret));
}

script::prepared_operation const& script::drawn(chance& random) const noexcept {
  if (operations_.size() == 1) return operations_.front();
  auto const at = random.fraction() * operations_.back().weight_until;
  auto const found =
      std::ranges::find_if(operations_, [&](prepared_operation const& o) { return at < o.weight_until; });
  return found == operations_.end() ? operations_.back() : *found;
}

stage::stage(script const& s, std::uint64_t seed, unsigned worker, unsigned workers,
             std::chrono::nanoseconds unix_time_of_zero)
    : script_(s),
      random_(seed * 0x9e3779b97f4a7c15 + worker),
      counter_{worker + 1ULL, workers},
      lines_(s.step_count(), strided_counter{worker, workers}),
      turn_(worker),
      unix_time_of_zero_(unix_time_of_zero),
      pauses_until_(std::max<std::size_t>(1, s.played().keys.size())) {}

std::chrono::nanoseconds stage::unix_time_of_steady_zero() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(system_clock::now().time_since_epoch() - steady_clock::now().time_since_epoch());
}

}  // namespace petstore::load
